// A prune that is killed, wherever it is, has pruned some scopes whole and the others not at all; run again it does the rest.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunDate } from '../../src/core/run-date.ts';
import { createDatabase } from '../../src/db/database.ts';
import { builtProgram } from '../support/built-program.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const clients = Array.from({ length: 8 }, (_, place) => `c${place}`);
/** The 1st is a Thursday: of the first week the 4th stays, and the two newest dates do. */
const dates = [2, 3, 4, 5, 6].map((day) => `2026-01-0${day}` as RunDate);
const staying = ['2026-01-04', '2026-01-05', '2026-01-06'];

let database: TestDatabase;
let before: Shown;
const children: ChildProcess[] = [];

type Shown = Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  database = await createTestDatabase();
  const db = createDatabase(database.pool);
  for (const clientId of clients) {
    for (const [place, runDate] of dates.entries()) {
      const records = [
        { id: 'p1', nombre: 'Mesa', presencia: place / 10 },
        { id: 'p2', nombre: 'Silla', presencia: place > 1 ? 0.2 : 0.1 },
      ];
      await publishRecords(db, { stream: 'products', clientId, runDate, records });
    }
  }
  before = await shown();
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await database?.drop();
});

/** What the curated view and the records show, by client and date. */
async function shown(): Promise<Shown> {
  const { rows } = await database.pool.query<{ scope: string; rows: string[] }>(
    `select scope, array_agg(value order by value) as rows from (
      select client_id || ' ' || run_date as scope, to_jsonb(v)::text as value from bi_history.products as v
      union all
      select s.client_id || ' ' || s.run_date, r.payload::text from sync.slice as s join snapshot.products as r
        on r.client_id = s.client_id and r.run_date <= s.run_date and s.run_date < r.until
      where s.stream = 'products' and s.completed_at is not null
    ) as x group by scope`,
  );
  return Object.fromEntries(rows.map((row) => [row.scope, row.rows]));
}

/** Each client has all of its dates, or those that stay, and each date shows what it showed. */
async function expectWhole(): Promise<number> {
  const now = await shown();
  let pruned = 0;
  for (const client of clients) {
    const has = Object.keys(now).flatMap((scope) => (scope.startsWith(`${client} `) ? scope.slice(-10) : []));
    const isPruned = has.length !== dates.length;
    expect(has.sort()).toEqual(isPruned ? staying : dates);
    if (isPruned) pruned += 1;
  }
  for (const [scope, rows] of Object.entries(now)) expect(rows).toEqual(before[scope]);
  return pruned;
}

function prune(...more: string[]): ChildProcess {
  const args = ['prune', '--before', '2026-01-06', '--keep', 'weekly', '--streams', 'products', '--yes'];
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
  const child = spawn(process.execPath, [builtProgram, ...args, ...more], { stdio: 'ignore', env });
  children.push(child);
  return child;
}

async function sessions(where: string): Promise<number> {
  const { rows } = await database.pool.query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'airank-warehouse' and ${where}`,
  );
  return rows.length;
}

/** Lets the child come to what another session holds, and kills it there. */
async function killAt(hold: string, child: () => ChildProcess): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query(`begin; ${hold}`);
    const killed = child();
    await expect.poll(() => sessions(`wait_event_type = 'Lock'`), { timeout: 8_000, interval: 20 }).toBe(1);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
  } finally {
    await client.query('rollback');
    client.release();
  }
  await expect.poll(() => sessions('true'), { timeout: 8_000, interval: 20 }).toBe(0);
}

async function killAfter(delayMs: number, child: ChildProcess): Promise<void> {
  const pruned = `select from sync.slice where status = 'pruned'`;
  const start = (await database.pool.query(pruned)).rows.length;
  const moved = async () =>
    (await database.pool.query(pruned)).rows.length > start || child.exitCode !== null;
  await expect.poll(moved, { timeout: 8_000, interval: 5 }).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  await expect.poll(() => sessions('true'), { timeout: 8_000, interval: 20 }).toBe(0);
}

it('leaves what is published right wherever it is killed, and goes on when it is run again', async () => {
  // In the middle of a scope: versions are thinned, typed rows are not.
  await killAt(`select from typed.products where client_id = 'c2' for update`, () => prune());
  expect(await expectWhole()).toBe(2);
  await killAfter(Math.random() * 40, prune());
  expect(await expectWhole()).toBeGreaterThan(2);
  // While a table is written anew.
  await killAt('lock table typed.products in access share mode', () => prune('--rewrite'));
  expect(await expectWhole()).toBe(clients.length);
  const [code] = await once(prune('--rewrite'), 'exit');
  expect(code).toBe(0);
  expect(await expectWhole()).toBe(clients.length);
  const { rows } = await database.pool.query(
    `select count(*)::integer as rows from typed.products union all select count(*)::integer from snapshot.products`,
  );
  // Of each client three versions of one product, and one of the other.
  expect(rows).toEqual([{ rows: 32 }, { rows: 32 }]);
}, 30_000);
