// Publishing one changed record among 20,000, in tables that were never analysed, reads a few blocks: what it changed
// and nothing else. Blocks are counted, not time.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunDate } from '../../src/core/run-date.ts';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { sourcesOf } from '../../src/mapping/logical/logical-sources.ts';
import { createTouched } from '../../src/publish/tables/touched.ts';
import { readTables } from '../../src/publish/tables/typed-tables.ts';
import { updateTyped } from '../../src/publish/tables/update-typed.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { type Blocks, type CountedPool, createCountedPool } from '../support/counted-blocks.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
let counted: CountedPool;
let countedDb: Executor;

beforeAll(async () => {
  await refreshMapping(database.db, { 'answers.measurement_id': 'medicion_id' });
  counted = await createCountedPool(database);
  countedDb = createDatabase(counted.pool);
});

afterAll(async () => {
  await counted?.pool.end();
});

interface Kind {
  /** The stream's, unless it says another. */
  readonly name?: string;
  readonly stream: string;
  readonly clientId: string;
  readonly record: (id: number) => object;
  /** The tables that it deletes from and inserts into. */
  readonly writes: readonly string[];
}

const day = (id: number, month = 0) =>
  new Date(Date.UTC(2026, -month, 1 + (id % 28))).toISOString().slice(0, 10);

const kinds: readonly Kind[] = [
  {
    stream: 'visibility_history',
    clientId: 'c1',
    record: (id) => ({ id, fecha: day(id), metodo: 'v2', puntuacion: id % 100, comparable: true }),
    writes: ['typed."visibility_history"', 'typed.rank_point'],
  },
  {
    stream: 'actions',
    clientId: '',
    record: (id) => ({
      ...{
        id: `a${id}`,
        titulo: `Acción ${id}`,
        cliente: 'c1',
        estado: 'abierta',
        expectativa: { hasta: id },
      },
    }),
    writes: ['typed."actions"', 'typed.action_status', 'typed.action_expectation'],
  },
  {
    stream: 'prediccion',
    clientId: '',
    record: (id) => ({
      id,
      cliente: 'c1',
      puntos: [1, 2].map((more) => ({ fecha: day(id + more), valor: (id + more) % 100 })),
    }),
    writes: [],
  },
  ...[true, false].map((hasDate) => ({
    name: hasDate ? 'respuestas' : 'respuestas without a date',
    stream: 'respuestas',
    clientId: '',
    // A week and a measurement of a client have as many answers among few as among many.
    record: (id: number) => ({
      id,
      cliente: `c${id % 4}`,
      ...(hasDate ? { fecha: day(id % 28, Math.floor(id / 40)) } : {}),
      medicion_id: `m${Math.floor(id / 20)}`,
      motor: 'm',
      menciona: id % 3 === 0,
      respuesta: `Respuesta ${id}`,
      pregunta: `¿Qué ${id % 7}?`,
    }),
    writes: ['typed."answers"', 'typed.mention_count', 'typed.mention_change'],
  })),
];

/** As at the beginning of a publish. */
const walks = {
  full: sql`select set_config('jit', 'off', true), set_config('enable_nestloop', 'off', true)`,
  incremental: sql`select set_config('jit', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true)`,
};
type Walk = keyof typeof walks;

const accountOf = ({ name, stream }: Kind) => `of_${name ?? stream}`;

const publishMany = async (kind: Kind) =>
  await publishRecords(database.db, {
    ...{ stream: kind.stream, account: accountOf(kind), clientId: kind.clientId, runDate: '2026-06-01' },
    records: Array.from({ length: 20_000 }, (_, index) => kind.record(index + 1)),
  });

/** Touches one of the records as a walk would that found it changed. */
async function blocksOfOne(kind: Kind, walk: Walk): Promise<Blocks> {
  const { stream, clientId } = kind;
  const account = accountOf(kind);
  const rolledBack = new Error('rolled back');
  let blocks: Blocks = new Map();
  const work = countedDb.transaction().execute(async (tx) => {
    await walks[walk].execute(tx);
    await createTouched(tx);
    await sql`
      insert into pg_temp.touched (stream, record_key, run_date)
      select ${stream}, record_key, run_date from ${sql.id('snapshot', stream)}
      where account = ${account} order by record_key limit 1`.execute(tx);
    counted.take();
    const scope = { stream, account, clientId, runDate: '2026-06-02' as RunDate };
    const tables = await readTables(tx, sourcesOf(stream));
    await updateTyped(tx, scope, tables, {
      isFirst: false,
      isIncremental: walk === 'incremental',
      again: false,
    });
    // Waits for the statements that were sent ahead, as this one is answered after them.
    await sql`select`.execute(tx);
    blocks = counted.take();
    throw rolledBack;
  });
  await expect(work).rejects.toBe(rolledBack);
  return blocks;
}

const most = 50;

const mostTakes = 8;

/**
 * The least that each statement read in several takes, until few blocks are. Where other databases of the server change
 * much at once, a session forgets the catalog and reads up to 170 blocks of it again, however many records there are.
 */
async function leastOf(take: (place: number) => Promise<Blocks>): Promise<Blocks> {
  let least: Blocks = new Map();
  for (let place = 0; place < mostTakes; place += 1) {
    const taken = await take(place);
    const texts = [...least, ...taken].map(([text]) => text);
    const of = (blocks: Blocks, text: string) => blocks.get(text) ?? Number.POSITIVE_INFINITY;
    least = new Map(texts.map((text) => [text, Math.min(of(least, text), of(taken, text))]));
    if (place > 0 && [...least.values()].every((blocks) => blocks < most)) break;
  }
  return least;
}

describe('a publish of one changed record', () => {
  beforeAll(async () => {
    for (const kind of kinds) await publishMany(kind);
  }, 240_000);

  it.each(
    kinds.flatMap((kind) => [
      { kind, name: kind.name ?? kind.stream, walk: 'full' as Walk },
      { kind, name: kind.name ?? kind.stream, walk: 'incremental' as Walk },
    ]),
  )('of $name looks up what it touched, after a walk of kind $walk', async ({ kind, walk }) => {
    const many = await leastOf(() => blocksOfOne(kind, walk));
    const written = [...many.keys()].map((text) => /(?:insert into|delete from) [\w."]+/.exec(text)?.[0]);
    const expected = kind.writes.flatMap((table) => [`delete from ${table}`, `insert into ${table}`]);
    expect(written).toEqual(expect.arrayContaining(expected));
    expect(many.size).toBeGreaterThanOrEqual(2);
    for (const [text, blocks] of many) expect.soft(blocks, text).toBeLessThan(most);
  });

  it.each(kinds.map((kind) => ({ kind, name: kind.name ?? kind.stream })))(
    'of $name that an incremental refresh found is looked up among the stored ones',
    async ({ kind }) => {
      const many = await leastOf(async (place) => {
        counted.take();
        await publishRecords(countedDb, {
          stream: kind.stream,
          account: accountOf(kind),
          clientId: kind.clientId,
          runDate: `2026-06-${10 + place}`,
          records: [{ ...kind.record(1), ...(place % 2 === 0 ? { puntos: [] } : {}) }, kind.record(2)],
          isIncremental: true,
          hasNewTypes: false,
        });
        // Writes of the slice itself are left out, as their indexes split when they are full, and so is the count of
        // records, which reads the index.
        const isLookedUp = (text: string) =>
          /snapshot|typed|pg_temp/.test(text) && !text.includes('select count(*) as records');
        return new Map([...counted.take()].filter(([text]) => isLookedUp(text)));
      });
      expect(many.size).toBeGreaterThan(5);
      for (const [text, blocks] of many) expect.soft(blocks, text).toBeLessThan(most);
    },
  );
});
