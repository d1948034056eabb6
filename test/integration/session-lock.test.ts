// All advisory locks of a process are on one connection, and are taken again when it was lost.
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { messageOf } from '../../src/core/errors.ts';
import { createDatabase } from '../../src/db/database.ts';
import { lockHolders, namingHolders } from '../../src/db/lock-holders.ts';
import { createPool } from '../../src/db/pool.ts';
import { holdLock, joinSession, tryLock } from '../../src/db/session-lock.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
let pool: pg.Pool;

beforeEach(() => {
  pool = createPool({ connectionString: database.url, max: 2, applicationName: 'locks' });
});
afterEach(() => pool.end());

async function alive(): Promise<number> {
  const { rows } = await database.pool.query<{ alive: number }>(
    'select count(*)::int as alive from generate_series(1, 200) as id where sync.lock_is_held(sync.worker_lock_class(), id)',
  );
  return rows[0]?.alive ?? 0;
}

async function until(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('holds the locks of 200 workers on one connection, and all of them again after it was lost', async () => {
  const locks = await Promise.all(
    Array.from({ length: 200 }, (_, index) => holdLock(pool, { kind: 'worker', id: index + 1 })),
  );
  expect(await alive()).toBe(200);
  expect(pool.totalCount).toBe(1);
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'locks'`,
  );
  await until(async () => (await alive()) === 0);
  await until(async () => (await alive()) === 200);
  expect(pool.totalCount - pool.idleCount).toBe(1);
  await Promise.all(locks.map((lock) => lock.release()));
  expect(await alive()).toBe(0);
  // Given back with the last lock: or else the pool would never end.
  expect(pool.totalCount - pool.idleCount).toBe(0);
});

test('gives a lock to one asker only, in this process and in others, and to the next one after it', async () => {
  const key = { kind: 'schedule', id: 7 } as const;
  const [first, second] = await Promise.all([tryLock(pool, key), tryLock(pool, key)]);
  expect(first === undefined).not.toBe(second === undefined);
  expect(await tryLock(database.pool, key)).toBeUndefined();
  await (first ?? second)?.release();
  const third = await tryLock(database.pool, key);
  expect(await third?.check()).toBe(true);
  await third?.release();
});

test('the holder of a lock is told when its connection is lost', async () => {
  const lock = await tryLock(pool, { kind: 'schedule', id: 7 });
  await database.pool.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and application_name = 'locks'`,
  );
  expect(await lock?.check()).toBe(false);
  expect(lock?.lost.aborted).toBe(true);
  await lock?.release();
});

test('a database that cannot be reached is told to every asker, and is tried anew by the next', async () => {
  const nowhere = createPool({
    connectionString: 'postgres://nobody@127.0.0.1:9/x',
    max: 2,
    applicationName: 'locks',
  });
  const asked = await Promise.allSettled([1, 2].map((id) => tryLock(nowhere, { kind: 'worker', id })));
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(tryLock(nowhere, { kind: 'worker', id: 1 })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await nowhere.end();
});

test('a wait for a lock ends, and its error names the session that has it', async () => {
  const analyst = createPool({ connectionString: database.url, max: 1, applicationName: 'DataGrip' });
  const session = await analyst.connect();
  await session.query('begin; lock table sync.batch in access exclusive mode');
  const {
    rows: [{ pid, role } = { pid: 0, role: '' }],
  } = await session.query<{ pid: number; role: string }>(
    'select pg_backend_pid() as pid, current_user as role',
  );
  const pool = createPool({
    connectionString: database.url,
    max: 1,
    applicationName: 'airank-test',
    settings: { lock_timeout: '50ms' },
  });
  const error = await pool.query('select from sync.batch').catch((thrown: unknown) => thrown);
  await pool.end();
  expect(messageOf(await namingHolders(createDatabase(database.pool), error))).toMatch(
    new RegExp(
      `held by: pid ${pid} \\(role ${role}, DataGrip, since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC\\)`,
    ),
  );
  await session.query('rollback');
  session.release();
  await analyst.end();
  expect(await lockHolders(createDatabase(database.pool))).toBe('nobody any more');
});

// The last one: its setting stays.
test('the server finds out within half a minute that the machine with the locks is lost, and ends no idle session', async () => {
  await database.pool.query(
    `do $$ begin execute format('alter database %I set idle_session_timeout = %L', current_database(), '5s'); end $$`,
  );
  const lock = await tryLock(pool, { kind: 'schedule', id: 7 });
  const session = joinSession(pool);
  const names = ['keepalives_idle', 'keepalives_interval', 'keepalives_count', 'user_timeout'];
  const rows = await session.query('select current_setting(name) as value from unnest($1::text[]) as name', [
    [...names.map((name) => `tcp_${name}`), 'idle_session_timeout'],
  ]);
  session.leave();
  await lock?.release();
  expect(rows.map(({ value }) => value)).toEqual(['15', '5', '3', '30000', '0']);
});
