// What a publish of one changed record reads: as much among 20,000 records as among 200, on tables that were never
// analysed. Blocks are counted, not time.
import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunDate } from '../../src/core/run-date.ts';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { createTouched } from '../../src/publish/tables/touched.ts';
import { updateTyped } from '../../src/publish/tables/update-typed.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
});

afterAll(() => database.drop());

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/** Blocks by the beginning of each statement. */
type Blocks = Map<string, number>;

/** The transaction, whose statements of text are explained as they run. */
function counting(tx: Executor, blocks: Blocks): Executor {
  return new Proxy(tx, {
    get(target, name) {
      if (name === 'executeQuery') {
        return async ({ sql: text, parameters }: CompiledQuery) => {
          const { rows } = await target.executeQuery<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
            CompiledQuery.raw(`explain (analyze, buffers, format json) ${text}`, [...parameters]),
          );
          const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
          const [, what = text] = /((?:insert into|delete from) [\w."]+)/.exec(text) ?? [];
          if (plan !== undefined) blocks.set(what, plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
          return { rows: [] };
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

interface Kind {
  readonly stream: string;
  readonly clientId: string;
  readonly record: (id: number) => object;
  /** The statements, as they begin. */
  readonly statements: readonly string[];
}

const day = (id: number) => new Date(Date.UTC(2026, 0, 1 + (id % 28))).toISOString().slice(0, 10);

const kinds: readonly Kind[] = [
  {
    stream: 'visibility_history',
    clientId: 'c1',
    record: (id) => ({ id, fecha: day(id), metodo: 'v2', puntuacion: id % 100, comparable: true }),
    statements: [
      'delete from typed."visibility_history"',
      'insert into typed."visibility_history"',
      'delete from typed.rank_point',
      'insert into typed.rank_point',
    ],
  },
  {
    stream: 'actions',
    clientId: '',
    record: (id) => ({
      id: `a${id}`,
      titulo: `Acción ${id}`,
      cliente: 'c1',
      estado: 'abierta',
      expectativa: { hasta: id },
    }),
    statements: [
      'delete from typed."actions"',
      'insert into typed."actions"',
      'delete from typed.action_status',
      'insert into typed.action_status',
      'delete from typed.action_expectation',
      'insert into typed.action_expectation',
    ],
  },
  {
    stream: 'prediccion',
    clientId: '',
    record: (id) => ({
      id,
      cliente: 'c1',
      puntos: [1, 2].map((more) => ({ fecha: day(id + more), valor: (id + more) % 100 })),
    }),
    statements: [],
  },
  {
    stream: 'respuestas',
    clientId: '',
    record: (id) => ({
      id,
      cliente: 'c1',
      fecha: day(id),
      motor: 'm',
      respuesta: `Respuesta ${id}`,
      pregunta: `¿Qué ${id}?`,
    }),
    statements: [],
  },
];

/** Publishes `count` records, then touches one of them as a full walk would that found it changed. */
async function blocksOfOne({ stream, clientId, record }: Kind, count: number): Promise<Blocks> {
  const account = `of_${count}`;
  const records = Array.from({ length: count }, (_, index) => record(index + 1));
  await publishRecords(db, { stream, account, clientId, runDate: '2026-06-01', records });
  const blocks: Blocks = new Map();
  const rolledBack = new Error('rolled back');
  const work = db.transaction().execute(async (tx) => {
    // As at the beginning of a publish of a full walk.
    await sql`select set_config('jit', 'off', true), set_config('enable_nestloop', 'off', true)`.execute(tx);
    await createTouched(tx);
    await sql`
      insert into pg_temp.touched (stream, record_key, run_date)
      select ${stream}, record_key, run_date from ${sql.id('snapshot', stream)}
      where account = ${account} order by record_key limit 1`.execute(tx);
    const scope = { stream, account, clientId, runDate: '2026-06-02' as RunDate };
    await updateTyped(counting(tx, blocks), scope, { isFirst: false, isHead: false, again: false });
    throw rolledBack;
  });
  await expect(work).rejects.toBe(rolledBack);
  return blocks;
}

describe('a publish of one changed record', () => {
  it.each(kinds)('of $stream looks up what it touched', async (kind) => {
    const few = await blocksOfOne(kind, 200);
    const many = await blocksOfOne(kind, 20_000);
    expect([...many.keys()]).toEqual(expect.arrayContaining([...kind.statements]));
    expect(many.size).toBeGreaterThanOrEqual(2);
    for (const [statement, blocks] of many) {
      expect.soft(blocks, `${statement}: ${few.get(statement)} among 200`).toBeLessThan(50);
    }
  });
});
