// Settings of a database, or of a role, that change what SQL means or when it ends.
import { beforeAll, expect, test } from 'vitest';
import { addDays, parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { createPool } from '../../src/db/pool.ts';
import { migrate } from '../../src/install/migrate.ts';
import { openReader } from '../../src/reporting/reader/open-reader.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { createEmptyTestDatabase, type TestDatabase, useDatabase } from '../support/test-database.ts';
import { viewDigests } from '../support/view-digests.ts';

const [usual, strange] = [useDatabase(createEmptyTestDatabase), useDatabase(createEmptyTestDatabase)];
const meaning = {
  array_nulls: 'off',
  bytea_output: 'escape',
  datestyle: 'german, dmy',
  default_transaction_isolation: 'serializable',
  extra_float_digits: '-15',
  intervalstyle: 'sql_standard',
  quote_all_identifiers: 'on',
  search_path: 'bi, sync, typed',
  standard_conforming_strings: 'off',
  timezone: 'Pacific/Kiritimati',
  transform_null_equals: 'on',
};
const limits = {
  idle_in_transaction_session_timeout: '1s',
  idle_session_timeout: '1s',
  lock_timeout: '1s',
  statement_timeout: '1s',
};
const streams = [
  'clientes',
  'visibility',
  'respuestas',
  'acciones',
  'airank',
  'products',
  'revenue',
  'agent_runs',
];
const firstDate = parseRunDate('2026-03-02') as RunDate;

beforeAll(async () => {
  const name = new URL(strange.url).pathname.slice(1);
  const { rows } = await strange.pool.query<{ number: number }>(
    `select current_setting('server_version_num')::integer as number`,
  );
  const newer = (rows[0]?.number ?? 0) < 170_000 ? {} : { transaction_timeout: '1s' };
  for (const [setting, value] of Object.entries({ ...meaning, ...limits, ...newer }))
    await strange.pool.query(
      `alter database ${name} set ${setting} = ${setting === 'search_path' ? value : `'${value}'`}`,
    );
});

const poolOf = (database: TestDatabase) =>
  createPool({ connectionString: database.url, max: 4, applicationName: 'airank-settings' });

async function syncTwoDates(database: TestDatabase) {
  const pool = poolOf(database);
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
  const sandbox = await startSandbox({ clients: 2, date: firstDate, size: 0.1, ...limits });
  try {
    await migrate(
      pool,
      catalog.map(({ name }) => name),
    );
    for (const day of [0, 1]) {
      const runDate = addDays(firstDate, day);
      sandbox.setDate(runDate);
      await syncOnce({
        pool,
        url: sandbox.url,
        runDate,
        streams,
        everyClient: true,
        env: { AIRANK_API_KEY: sandbox.keys[0] ?? '' },
      });
    }
    const { rows } = await pool.query(`select distinct status, error from sync.slice`);
    const { views } = await viewDigests(pool);
    // Others tell when they were synced.
    const timeless = Object.entries(views).filter(([name]) => /^bi\.(?!freshness)|_version$/.test(name));
    return { slices: rows, views: timeless };
  } finally {
    await sandbox.close();
    await pool.end();
  }
}

test('views say the same whatever the settings are', async () => {
  const { slices, views } = await syncTwoDates(strange);
  expect(slices).toEqual([{ status: 'complete', error: null }]);
  expect(views).toEqual((await syncTwoDates(usual)).views);
});

test('what writes has its own limits', async () => {
  const pool = poolOf(strange);
  try {
    const { rows } = await pool
      .query('begin; select pg_sleep(1.2); commit')
      .then(() => pool.query('select 1 as one'));
    expect(rows).toEqual([{ one: 1 }]);
  } finally {
    await pool.end();
  }
});

test('what reads keeps its own', async () => {
  const how = { readerUrl: strange.url, warehouse: undefined, statementTimeoutMs: 500 };
  const reader = await openReader(how);
  try {
    await expect(reader.pool.query('select pg_sleep(1)')).rejects.toMatchObject({ code: '57014' });
    const { rows } = await reader.pool.query(`select current_setting('idle_session_timeout') as idle`);
    expect(rows).toEqual([{ idle: '1s' }]);
  } finally {
    await reader.close();
  }
});
