// How often engines name a client, and whether that changed beyond chance: against results of scipy 1.17.1
// (hypergeom for the variance within a question and engine, binomtest for Wilson's interval), and where nothing is known.
// What publishing leaves is what counting all of them again makes: typed-rows.
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import { createDatabase } from '../../src/db/database.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, useDatabase } from '../support/test-database.ts';

const database = useDatabase();

beforeAll(async () => {
  await refreshMapping(database.db, {
    'answers.measurement_id': 'medicion_id',
    'answers.question': 'pregunta',
  });
});

const newest = '2026-06-30' as RunDate;
let made = 0;

interface Asked {
  readonly daysAgo: number;
  readonly isNamed: boolean | null;
  readonly question?: string | null;
  readonly engine?: string | null;
}

const answer = (cliente: string, { daysAgo, isNamed, question = 'uno', engine = 'gemini' }: Asked) => ({
  ...{ id: `R-${++made}`, cliente, fecha: addDays(newest, -daysAgo), medicion_id: `M-${made}` },
  ...{ motor: engine, pregunta: question, menciona: isNamed },
});

/** Answers in the newest 28 days and of how many the brand is named, then those in the 28 days before. */
type Cell = readonly [number, number, number, number];

const answersOf = (client: string, cells: readonly Cell[]) =>
  cells.flatMap(([now, named, before, namedBefore], index) => {
    const asked = (count: number, yes: number, first: number) =>
      Array.from({ length: count }, (_, place) =>
        answer(client, {
          daysAgo: first + (place % 28),
          isNamed: place < yes,
          question: `q${index >> 1}`,
          engine: `e${index % 2}`,
        }),
      );
    return [...asked(now, named, 0), ...asked(before, namedBefore, 28)];
  });

const many = (times: number, cell: Cell) => Array.from({ length: times }, () => cell);

async function publishAnswers(records: readonly object[], runDate: string = newest, account = 'default') {
  await publishRecords(database.db, { stream: 'respuestas', account, runDate, records });
}

describe('a change of the share of answers that name a client', () => {
  beforeAll(async () => {
    const clients: Record<string, readonly object[]> = {
      falls: answersOf('falls', [
        [8, 1, 8, 6],
        [8, 2, 8, 7],
        [4, 0, 6, 3],
        [5, 2, 7, 7],
      ]),
      uneven: answersOf('uneven', [
        [4, 1, 12, 9],
        [4, 1, 12, 6],
        [4, 3, 8, 2],
      ]),
      same: answersOf('same', many(16, [4, 0, 4, 0])),
      rises: answersOf('rises', many(5, [4, 4, 4, 0])),
      // Four answers can never tell.
      few: answersOf('few', [[2, 2, 2, 0]]),
      // Other questions are asked, and the brand is named in all answers to them.
      edited: [
        ...answersOf('edited', many(8, [4, 2, 4, 2])),
        ...Array.from({ length: 40 }, (_, place) =>
          answer('edited', { daysAgo: place % 28, isNamed: true, question: `new ${place % 5}` }),
        ),
        ...Array.from({ length: 40 }, (_, place) =>
          answer('edited', { daysAgo: 28 + place, isNamed: false, question: `old ${place % 2}` }),
        ),
      ],
      unknown: [
        ...answersOf('unknown', many(4, [4, 2, 4, 2])),
        // None of these can count: the mention, the question or the engine is unknown, or the day is unknown or yet to
        // come.
        ...Array.from({ length: 30 }, (_, place) => [
          answer('unknown', { daysAgo: place % 28, isNamed: null, question: 'q0', engine: 'e0' }),
          answer('unknown', { daysAgo: place % 28, isNamed: true, question: null }),
          answer('unknown', { daysAgo: place % 28, isNamed: true, engine: null }),
          answer('unknown', { daysAgo: -2 - place, isNamed: true, question: 'q0', engine: 'e0' }),
          { ...answer('unknown', { daysAgo: 0, isNamed: true, question: 'q0', engine: 'e0' }), fecha: null },
        ]).flat(),
      ],
      // The last day of each period, and the day before the first of the earlier one.
      edges: [0, 27, 28, 55, 56].flatMap((daysAgo) => [answer('edges', { daysAgo, isNamed: daysAgo < 28 })]),
      left: answersOf('left', many(5, [4, 4, 4, 0])),
    };
    const records = Object.values(clients).flat();
    await publishRecords(database.db, {
      stream: 'clientes',
      runDate: addDays(newest, -1),
      records: Object.keys(clients).map((id) => ({ id, nombre: id })),
    });
    await publishAnswers(records);
    for (const runDate of [newest, addDays(newest, 1)]) {
      await publishRecords(database.db, {
        stream: 'clientes',
        runDate,
        records: Object.keys(clients)
          .filter((id) => id !== 'left')
          .map((id) => ({ id, nombre: id })),
      });
    }
  }, 60_000);

  const verdict = async (client: string, columns: string) =>
    await database.lines(`select ${columns} from bi.mention_changes where client_id = '${client}'`);

  const figures = 'mention_rate::float8, before_mention_rate::float8, z::float8, is_clear, direction';
  const counts = 'change::float8, cell_count, answer_count, before_answer_count, is_clear';

  it.each([
    ['is clear from a z of 3.5 on', 'falls', figures, '0.19375 0.78125 -4.300525 true fell'],
    ['is usual below', 'uneven', figures, '0.416667 0.5 -0.480889 false usual'],
    ['rises as it falls', 'rises', figures, '1 0 5.91608 true rose'],
    ['is none where nothing changed', 'same', figures, '0 0 0 false usual'],
    [
      'is of 28 days that end with the newest answer, and the 28 before',
      'edges',
      'from_date, to_date, before_from_date, before_to_date, answer_count, before_answer_count',
      '2026-06-03 2026-06-30 2026-05-06 2026-06-02 2 2',
    ],
    ['has no verdict where so few answers could not be clear', 'few', figures, '1 0 1.732051 - -'],
    [
      'is none by questions that were added or dropped, and says how many',
      'edited',
      'change::float8, direction, question_count, questions_added, questions_dropped',
      '0 usual 4 5 2',
    ],
    ['leaves out answers of which not all is known', 'unknown', counts, '0 4 16 16 false'],
  ])('%s', async (_, client, columns, shown) => {
    expect(await verdict(client, columns)).toEqual([shown]);
  });

  it('has no row of a client that left', async () => {
    expect(await verdict('left', '*')).toEqual([]);
  });
});

describe('the interval of a mention rate', () => {
  it('is that of Wilson, as scipy has it', async () => {
    const shares = [
      [0, 10],
      [3, 10],
      [10, 10],
      [81, 263],
      [1, 2],
      [500, 1000],
    ] as const;
    const values = shares.map(([k, n]) => `(${k}, ${n})`).join(', ');
    expect(
      await database.lines(
        `select bi.share_bound(k::numeric / n, n, -1)::float8 as low, bi.share_bound(k::numeric / n, n, 1)::float8 as high from (values ${values}) as s (k, n)`,
      ),
    ).toEqual([
      '0 0.277533',
      '0.107791 0.603222',
      '0.722467 1',
      '0.255289 0.36621',
      '0.094531 0.905469',
      '0.46907 0.53093',
    ]);
  });

  it('goes by how much answers to the same question differ, else by their number', async () => {
    const week = (client: string, answers: readonly (readonly [string, boolean | null])[]) =>
      answers.map(([question, isNamed]) => answer(client, { daysAgo: 1, isNamed, question, engine: 'e' }));
    const times = (count: number, question: string, isNamed: boolean | null) =>
      Array.from({ length: count }, () => [question, isNamed] as const);
    await publishAnswers(
      [
        // 6 · 2 / 7 of each question: as 16 · 16 · ¼ / (24 / 7) = 18.67 answers to questions drawn anew.
        ...week('differing', [
          ...times(6, 'a', true),
          ...times(2, 'a', false),
          ...times(2, 'b', true),
          ...times(6, 'b', false),
        ]),
        ...week('agreeing', [...times(5, 'a', true), ...times(5, 'b', false)]),
        ...week('once', [...times(1, 'a', true), ...times(1, 'b', false), ...times(2, 'c', null)]),
        ...week('mostly once', [
          ...times(1, 'a', true),
          ...times(1, 'a', false),
          ...times(1, 'b', true),
          ...times(1, 'c', false),
          ...times(1, 'd', true),
        ]),
        ...week('not known', times(3, 'a', null)),
      ],
      newest,
      'intervals',
    );
    expect(
      await database.lines(
        `select client_id, low_rate::float8, high_rate::float8, interval_basis from bi.mention_rates where account = 'intervals' order by client_id`,
      ),
    ).toEqual([
      'agreeing 0.236593 0.763407 repeated questions',
      'differing 0.293439 0.706561 repeated questions',
      'mostly once 0.230724 0.882379 one answer a question',
      'not known - - -',
      'once 0.094531 0.905469 one answer a question',
    ]);
  });
});

describe('what a publish counts again', () => {
  it('puts answers without a date into the week of their measurement, also where that is told later', async () => {
    const dateless = (id: string, medicion: string, menciona: boolean) => ({
      ...{ id, cliente: 'c1', medicion_id: medicion, motor: 'e1', pregunta: 'a', menciona },
    });
    const shown = async () =>
      await database.lines(
        `select week_date, answer_count, question_count, mention_rate::float8 from bi.mention_rates where account = 'dateless' order by 1`,
      );
    const records = [dateless('1', 'M-1', true), dateless('2', 'M-1', false), dateless('3', 'M-2', true)];
    await publishAnswers(records, '2026-03-04', 'dateless');
    expect(await shown()).toEqual(['- 3 - 0.6666666667']);
    const measured = async (runDate: string, dates: readonly string[]) =>
      await publishRecords(database.db, {
        stream: 'mediciones',
        account: 'dateless',
        runDate,
        records: dates.map((fecha, index) => ({ id: `M-${index + 1}`, cliente: 'c1', fecha })),
      });
    await measured('2026-03-04', ['2026-03-03']);
    expect(await shown()).toEqual(['2026-03-02 2 1 0.5', '- 1 1 1']);
    await measured('2026-03-05', ['2026-03-03', '2026-02-28']);
    expect(await shown()).toEqual(['2026-02-23 1 1 1', '2026-03-02 2 1 0.5']);
    expect(await database.lines(`select * from bi.mention_changes where account = 'dateless'`)).toEqual([]);
  });
});

describe('answers whose date stands beside the list', () => {
  it('are counted again as a whole', async () => {
    const other = await createTestDatabase();
    try {
      const at = createDatabase(other.pool);
      await refreshMapping(at, { 'answers.date': '^^fecha' });
      const publishAt = async (runDate: string, fecha: string, count: number) =>
        await publishRecords(at, {
          stream: 'respuestas',
          runDate,
          rest: { fecha },
          records: Array.from({ length: count }, (_, id) => ({
            ...{ id, cliente: 'c1', motor: 'e1', pregunta: 'a', menciona: true },
          })),
        });
      const counts = 'select week_date, answer_count from bi.mention_rates';
      await publishAt('2026-03-04', '2026-03-03', 2);
      expect(await other.lines(counts)).toEqual(['2026-03-02 2']);
      await publishAt('2026-03-05', '2026-03-03', 3);
      expect(await other.lines(counts)).toEqual(['2026-03-02 3']);
      await publishAt('2026-03-11', '2026-03-10', 3);
      expect(await other.lines(counts)).toEqual(['2026-03-09 3']);
    } finally {
      await other.drop();
    }
  });
});
