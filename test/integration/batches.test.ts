// Batches and runs that end without a word, and those that start twice.
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { createDatabase } from '../../src/db/database.ts';
import { createPool } from '../../src/db/pool.ts';
import { readJobHistories } from '../../src/status/job-runs.ts';
import { readLastBatches } from '../../src/status/status-report.ts';
import { type Batch, startBatch, startRun } from '../../src/store/slices/runs.ts';
import { eachDatabase } from '../support/test-database.ts';

const database = eachDatabase();
/** Pool of a process that dies. */
let dying: pg.Pool;

const runDate = parseRunDate('2025-01-01') as RunDate;
const selection = {};

beforeEach(async () => {
  dying = createPool({ connectionString: database.url, max: 2, applicationName: 'dying' });
});
afterEach(() => dying.end());

const placeIn = ({ id, workerId }: Batch) => ({ batchId: id, workerId, attempt: 1 });

const statuses = () =>
  database.lines(
    'select job, status from sync.batch union all select account, status from sync.run order by 1',
  );

test('batches and runs of a dead process are stopped, and those of living ones are not touched', async () => {
  const dead = await startBatch(dying, createDatabase(dying), { job: 'dead', selection });
  const deadRun = { ...placeIn(dead), account: 'd', runDate, plan: { requests_today: 3 } };
  await startRun(createDatabase(dying), deadRun);
  const alive = await startBatch(database.pool, database.db, { job: 'alive', selection });
  await startRun(database.db, { ...placeIn(alive), account: 'a', runDate, plan: {} });
  expect(await statuses()).toEqual(['a running', 'alive running', 'd running', 'dead running']);
  // As SIGKILL does: the locks go with the connection, and nobody says goodbye.
  await dying.query('select 1');
  await database.pool.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and application_name = 'dying'`,
  );
  const histories = await readJobHistories(database.db, ['dead', 'alive']);
  expect(histories.get('dead')?.lastAttempt?.status).toBe('stopped');
  expect(histories.get('alive')?.lastAttempt?.status).toBe('running');
  expect(await readLastBatches(database.db, 5)).toMatchObject([
    { job: 'alive', status: 'running', accounts: 1, run_date: '2025-01-01' },
    { job: 'dead', status: 'stopped', accounts: 1, planned_requests: 3, requests: null },
  ]);
  const soon = await startBatch(database.pool, database.db, { job: 'soon', selection });
  await soon.release();
  // Its lock may come back for a while, as over a restart of the database.
  expect(await statuses()).toContain('d running');
  await database.pool.query(`update sync.worker set missed_at = missed_at - interval '11 seconds'`);
  const next = await startBatch(database.pool, database.db, { job: 'next', selection });
  const running = ['a running', 'alive running', 'next running', 'soon running'];
  expect(await statuses()).toEqual([...running, 'd stopped', 'dead stopped'].sort());
  // A process that dies takes its pool along; this one has taken its lock again.
  await Promise.all([dead, alive, next].map((batch) => batch.release()));
});

test('an account that starts again in its batch, because its lock could not be taken, has one run', async () => {
  const batch = await startBatch(database.pool, database.db, { job: 'test', selection });
  const input = { ...placeIn(batch), account: 'a', runDate };
  const lost = await startRun(database.db, { ...input, plan: { fits: 1 } });
  const run = await startRun(database.db, { ...input, plan: { fits: 2 } });
  expect(run.id).toBe(lost.id);
  await run.finish('complete', { deferred_until: '2025-01-02T00:00:00.000Z' });
  await batch.finish('deferred', {});
  await batch.release();
  const runs = await database.rows('select account, status, plan from sync.run');
  expect(runs).toEqual([{ account: 'a', status: 'complete', plan: { fits: 2 } }]);
  const history = (await readJobHistories(database.db, ['test'])).get('test');
  expect(history?.lastAttempt?.deferredUntil).toEqual(new Date('2025-01-02'));
});

test('the run of a queued account begins beside a worker whose number is the hash of its name', async () => {
  const { rows } = await database.pool.query<{ name: string; hash: number }>(
    `select name, hashtext(name) as hash from unnest('{a,b,c,d,e}'::text[]) as name where hashtext(name) > 0`,
  );
  const { name: account = '', hash = 0 } = rows[0] ?? {};
  await database.pool.query(`alter table sync.worker alter id set default ${hash}`);
  const batch = await startBatch(database.pool, database.db, { job: 'equal', selection });
  expect(batch.workerId).toBe(hash);
  const run = { ...placeIn(batch), account, runDate, plan: {}, isQueued: true };
  await startRun(createDatabase(dying), run).finally(() => batch.release());
  expect(await statuses()).toContain(`${account} running`);
});
