import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { SeenTypes } from '../../src/store/fields/seen-types.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
});

afterAll(async () => {
  await database.drop();
});

async function stored(stream: string): Promise<[string, unknown][]> {
  const { rows } = await database.pool.query<{ record_key: string; payload: unknown }>(
    `select record_key, payload from snapshot.record where stream = $1 and until = 'infinity' order by record_key collate "C"`,
    [stream],
  );
  return rows.map((row) => [row.record_key, row.payload]);
}

describe('the first publish of a scope', () => {
  it('is inserted at once where every record has a key of its own', async () => {
    const records = [
      { id: 2, a: 'x' },
      { id: 1, a: 'y' },
    ];
    const published = await publishRecords(db, { stream: 'f1', runDate: '2026-01-01', records });
    expect(published).toMatchObject({ records: 2, inserted: 2, vanished: 0, unchanged: 0, keyConflicts: 0 });
    expect(await stored('f1')).toEqual([
      ['1', records[1]],
      ['2', records[0]],
    ]);
    const again = await publishRecords(db, { stream: 'f1', runDate: '2026-01-02', records });
    expect(again).toMatchObject({ records: 2, inserted: 0, unchanged: 2 });
  });

  it.each<[string, object[], number]>([
    ['shared', [{ id: 1 }, { id: 1, b: 2 }], 2],
    ['missing', [{ id: 1 }, { b: 2 }], 1],
    ['no scalar', [{ id: 1 }, { id: {} }], 1],
  ])('goes record by record where a key is %s, and loses none', async (why, records, keyConflicts) => {
    const stream = `f2_${why.replace(' ', '_')}`;
    const published = await publishRecords(db, { stream, runDate: '2026-01-01', records });
    expect(published).toMatchObject({ records: 2, inserted: 2, keyConflicts });
    expect((await stored(stream)).map(([, payload]) => payload)).toEqual(expect.arrayContaining(records));
  });

  it('stores a body that is one record under the key of its page', async () => {
    const body = { stream: 'f6', runDate: '2026-01-01', records: [{ id: 1, a: 'x' }], pageKey: 'whole' };
    expect(await publishRecords(db, body)).toMatchObject({ records: 1, inserted: 1 });
    expect(await stored('f6')).toEqual([['whole', { id: 1, a: 'x' }]]);
    const again = await publishRecords(db, { ...body, runDate: '2026-01-02' });
    expect(again).toMatchObject({ records: 1, inserted: 0, unchanged: 1 });
  });

  it('loses none of several bodies under one key', async () => {
    const records = [{ a: 'x' }, { a: 'y' }];
    const body = { stream: 'f7', runDate: '2026-01-01', records, pageKey: 'whole' };
    expect(await publishRecords(db, body)).toMatchObject({ records: 2, inserted: 2 });
    expect((await stored('f7')).map(([, payload]) => payload)).toEqual(expect.arrayContaining(records));
  });

  it('is learned from the pages that showed new types, and later ones from what they changed', async () => {
    const learned = async () =>
      (await database.pool.query(`select from sync.field_observation where stream = 'f4' and path = '{a}'`))
        .rowCount;
    const publishOne = (runDate: string, a: string, hasNewTypes: boolean) =>
      publishRecords(db, { stream: 'f4', runDate, records: [{ id: 1, a }, { id: 2 }], hasNewTypes });
    await publishOne('2026-01-01', 'x', false);
    expect(await learned()).toBe(0);
    await publishOne('2026-01-02', 'y', false);
    expect(await learned()).toBe(0);
    await publishOne('2026-01-03', 'z', true);
    expect(await learned()).toBe(1);
  });

  it('is not a first load when there are open versions without a slice', async () => {
    await publishRecords(db, { stream: 'f5', runDate: '2026-01-01', records: [{ id: 1 }] });
    await database.pool.query(`delete from sync.slice where stream = 'f5'`);
    const next = await publishRecords(db, { stream: 'f5', runDate: '2026-01-02', records: [{ id: 2 }] });
    expect(next).toMatchObject({ inserted: 1, vanished: 1 });
    expect(await stored('f5')).toEqual([['2', { id: 2 }]]);
  });

  it('is the first again after everything vanished', async () => {
    const one = [{ id: 1 }];
    await publishRecords(db, { stream: 'f3', runDate: '2026-01-01', records: one });
    await publishRecords(db, { stream: 'f3', runDate: '2026-01-02', records: [] });
    const back = await publishRecords(db, { stream: 'f3', runDate: '2026-01-03', records: one });
    expect(back).toMatchObject({ records: 1, inserted: 1, changed: 0, vanished: 0 });
    const { rows } = await database.pool.query(
      `select run_date, until from snapshot.record where stream = 'f3' order by run_date`,
    );
    expect(rows).toEqual([
      { run_date: '2026-01-01', until: '2026-01-02' },
      { run_date: '2026-01-03', until: 'infinity' },
    ]);
  });
});

describe('types that JavaScript takes for seen', () => {
  // Generates what people and machines write into fields, most of it where two types touch.
  const literal = fc.oneof(
    fc.constantFrom(
      'null',
      'true',
      '[]',
      '{}',
      '""',
      '0',
      '-0',
      '1.0',
      '1e2',
      '1E-2',
      '10000000000000000000',
      '0.1',
    ),
    fc.constantFrom(
      '"2026-02-28"',
      '"2026-02-30"',
      '"2026-02-28T10:00:00Z"',
      '"2026-02-28T25:00"',
      '"2026-02-28x"',
    ),
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    fc
      .tuple(
        fc.integer({ min: 0, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
      )
      .map(([y, m, d]) => `"${[y, m, d].map((n, i) => String(n).padStart(i === 0 ? 4 : 2, '0')).join('-')}"`),
    fc.string().map((text) => JSON.stringify(text.replaceAll('\u0000', ''))),
  );

  it('are of one type to Postgres', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(literal, { minLength: 1, maxLength: 40 }), async (literals) => {
        const seen = new SeenTypes();
        const isNew = literals.map((text) => seen.areNew([JSON.parse(text)], `[${text}]`));
        const { rows } = await database.pool.query<{ missing: string[] }>(
          `select array(
             select sync.json_type(o::jsonb) from unnest($1::text[]) as o
             except select sync.json_type(n::jsonb) from unnest($2::text[]) as n
           ) as missing`,
          [literals.filter((_text, i) => !isNew[i]), literals.filter((_text, i) => isNew[i])],
        );
        expect(rows[0]?.missing).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
