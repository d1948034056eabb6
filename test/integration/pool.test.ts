import { createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createDatabase, prepared } from '../../src/db/database.ts';
import { createPool } from '../../src/db/pool.ts';
import { isConnectionLost } from '../../src/db/sqlstate.ts';
import { withDatabase } from '../support/database-url.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

test('dates are texts, timestamps are Dates, and numbers lose no digit', async () => {
  const { rows } = await database.pool.query(
    `select date '2026-02-28' as date, date 'infinity' as until, array[date '2026-01-01', null] as dates,
            timestamptz '2026-02-28 01:02:03.004+01' as at,
            9007199254740991::int8 as safe, 9007199254740993::int8 as large, (-5)::int8 as negative,
            array[1, null, 9007199254740993]::int8[] as counts, array[]::int8[] as none,
            0.1000000000000000000001::numeric as exact, 7::int4 as small`,
  );
  expect(rows).toEqual([
    {
      ...{ date: '2026-02-28', until: 'infinity', dates: ['2026-01-01', null] },
      ...{ at: new Date('2026-02-28T00:02:03.004Z'), exact: '0.1000000000000000000001', small: 7 },
      ...{ safe: 9007199254740991, large: '9007199254740993', negative: -5 },
      ...{ counts: [1, null, '9007199254740993'], none: [] },
    },
  ]);
});

test('a connection lost while nobody uses it, or between two queries, harms no later query', async () => {
  const pool = createPool({ connectionString: database.url, max: 2, applicationName: 'airank-lost' });
  const held = await pool.connect();
  await held.query('select 1');
  await pool.query('select 1');
  const { rows } = await database.pool.query<{ ended: boolean }>(
    `select pg_terminate_backend(pid, 5000) as ended from pg_stat_activity where application_name = 'airank-lost'`,
  );
  expect(rows).toEqual([{ ended: true }, { ended: true }]);
  await expect.poll(() => pool.idleCount).toBe(0);

  await expect(held.query('select 1')).rejects.toThrow();
  held.release(true);
  const after = await pool.query('select 2 as two');
  await pool.end();
  expect(after.rows).toEqual([{ two: 2 }]);
});

test('names itself to the server, whatever the address says: its sessions are found by it', async () => {
  const url = new URL(database.url);
  url.searchParams.set('application_name', 'theirs');
  const pool = createPool({ connectionString: url.href, max: 1, applicationName: 'airank-named' });
  const { rows } = await pool.query(`select current_setting('application_name') as name`);
  await pool.end();
  expect(rows).toEqual([{ name: 'airank-named' }]);
});

test('hands a release to who asked for a connection, also when there is none', async () => {
  const pool = createPool({
    connectionString: withDatabase(database.url, 'none'),
    max: 1,
    applicationName: 'x',
  });
  const failed = await new Promise((resolve) => {
    pool.connect((error, client, release) => {
      release();
      resolve([error?.message, client]);
    });
  });
  expect(failed).toEqual(['database "none" does not exist', undefined]);
  await pool.end();
});

test('gives up on a server that accepts a connection and never answers', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const pool = createPool({
    connectionString: `postgresql://someone@127.0.0.1:${port}/some`,
    max: 1,
    applicationName: 'airank-test',
    connectTimeoutMs: 50,
  });
  await expect(pool.query('select 1')).rejects.toThrow(/timeout/);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

test('a process that freezes in a transaction gives its locks back after a minute', async () => {
  const pool = createPool({ connectionString: database.url, max: 1, applicationName: 'airank-test' });
  const client = await pool.connect();
  const { rows } = await client.query(
    `select current_setting('idle_in_transaction_session_timeout') as timeout`,
  );
  // As the setting does it, only sooner.
  await client.query(`begin; set local idle_in_transaction_session_timeout = '10ms'`);
  await new Promise((resolve) => client.once('end', resolve));
  const late = await client.query('select 1').catch((error: unknown) => error);
  client.release(true);
  await pool.end();
  expect(rows).toEqual([{ timeout: '1min' }]);
  expect(isConnectionLost(late)).toBe(true);
});

test('a marked statement is prepared once a connection, and no other is', async () => {
  const pool = createPool({ connectionString: database.url, max: 1, applicationName: 'airank-prepared' });
  try {
    const db = createDatabase(pool);
    const twice = async (number: number) =>
      (await sql<{ twice: number }>`${prepared} select ${number}::integer * 2 as twice`.execute(db)).rows[0]
        ?.twice;
    expect([await twice(1), await twice(21)]).toEqual([2, 42]);
    await sql`select ${1}::integer`.execute(db);
    await db.selectFrom('sync.run').modifyFront(prepared).select('id').execute();
    const { rows } = await pool.query('select statement from pg_prepared_statements order by prepare_time');
    expect(rows).toEqual([
      { statement: '/* prepared */ select $1::integer * 2 as twice' },
      { statement: 'select /* prepared */ "id" from "sync"."run"' },
    ]);
  } finally {
    await pool.end();
  }
});
