// When a failed batch no longer counts as failing: its rows and those of others are written by hand.
import { beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { checkData } from '../../src/jobs/schedule/check-data.ts';
import { createMetrics } from '../../src/jobs/schedule/metrics.ts';
import { readSchedule } from '../../src/jobs/schedule/read-schedule.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { accountsConfig } from '../support/config-fixtures.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const config = accountsConfig('http://127.0.0.1:9', ['north', 'south']);
const message = 'Job daily of 2026-01-05 failed';

beforeEach(async () => {
  const selection = { accounts: ['north', 'south'], streams: ['airank', 'crawl'], client_ids: null };
  await query(`
    truncate sync.batch, sync.run, sync.slice, sync.newest, sync.incident restart identity cascade;
    insert into sync.batch (job, status, selection, started_at, finished_at)
      values ('daily', 'failed', '${JSON.stringify(selection)}', '2026-01-05T03:00Z', '2026-01-05T03:10Z');
    insert into sync.run (account, batch_id, run_date, status) values
      ('north', 1, '2026-01-05', 'failed'), ('south', 1, '2026-01-05', 'complete');
    insert into sync.incident (cause, kind, message, since)
      values ('run:daily', 'run_failed', '${message}', '2026-01-05T03:11Z')`);
  await slices('north', '2026-01-05', { airank: 'failed', 'airank 7': 'deferred', crawl: 'complete' });
});

const query = async (text: string) => (await database.pool.query(text)).rows;

/** By `stream` or `stream client`. */
async function slices(account: string, runDate: string, states: Readonly<Record<string, string>>) {
  for (const [scope, status] of Object.entries(states)) {
    const [stream, client = ''] = scope.split(' ');
    await database.pool.query(
      `insert into sync.slice (account, stream, client_id, run_date, status) values ($1, $2, $3, $4, $5)
       on conflict (account, stream, client_id, run_date) do update set status = excluded.status`,
      [account, stream, client, runDate, status],
    );
  }
}

/** Reads what `airank status` and a working scheduler say of it. */
async function said(): Promise<{ status: readonly string[]; isOver: boolean }> {
  const now = new Date('2026-01-06T12:00Z');
  const { problems } = await readSchedule(database.db, { config, jobs: [], streams: catalog, now });
  const deps = { db: database.db, clock: systemClock, jobs: [], metrics: createMetrics(() => 2) };
  const findings = await checkData(deps, { config, streams: catalog });
  const [cause = ''] = (await query('select cause from sync.incident')).map((row) => row.cause);
  return { status: problems, isOver: findings.some(({ checked }) => checked(cause)) };
}

const lasts = { status: [message], isOver: false };
const over = { status: [], isOver: true };

test('a failed batch counts as failing until the last slice that it lacks is there', async () => {
  expect(await said()).toEqual(lasts);
  await slices('north', '2026-01-05', { airank: 'complete' });
  expect(await said()).toEqual(lasts);
  await slices('north', '2026-01-05', { 'airank 7': 'unavailable' });
  expect(await said()).toEqual(over);
  // The history keeps what happened.
  expect(await query('select status from sync.batch')).toEqual([{ status: 'failed' }]);
});

test('newer run dates are as good, and slices of other streams and accounts say nothing', async () => {
  await slices('north', '2026-01-06', { airank: 'complete', crawl: 'failed' });
  await slices('south', '2026-01-06', { airank: 'complete', 'airank 7': 'complete', sources: 'failed' });
  expect(await said()).toEqual(lasts);
  await slices('north', '2026-01-06', { 'airank 7': 'complete', sources: 'failed' });
  expect(await said()).toEqual(over);
});

test('an account that broke off before it planned lacks what it had before, and one without a run everything', async () => {
  await query('delete from sync.slice');
  expect(await said()).toEqual(lasts);
  await slices('north', '2026-01-04', { airank: 'complete', crawl: 'complete' });
  await query(`
    insert into sync.newest (account, stream, client_id, run_date, completed_at)
      select account, stream, client_id, run_date, now() from sync.slice`);
  await slices('north', '2026-01-05', { airank: 'complete' });
  expect(await said()).toEqual(lasts);
  await slices('north', '2026-01-05', { crawl: 'complete' });
  expect(await said()).toEqual(over);
  await query(`delete from sync.run where account = 'south'`);
  expect(await said()).toEqual(lasts);
});

test('a job that was run by hand since, and a key that was taken since, are over too', async () => {
  const batch = (status: string) =>
    query(
      `insert into sync.batch (job, status, selection, finished_at) values ('daily', '${status}', '{}', now())`,
    );
  await batch('stopped');
  expect(await said()).toEqual(lasts);
  await batch('complete');
  expect(await said()).toEqual(over);
  await query(`update sync.incident set cause = 'key:north', kind = 'key_refused', account = 'north'`);
  const run = (ended: number | null) => {
    const summary = JSON.stringify({ requests: 3, ended_status: ended });
    return query(`
      insert into sync.run (account, batch_id, run_date, status, summary)
        values ('north', 3, '2026-01-06', 'failed', '${summary}')`);
  };
  await run(401);
  expect(await said()).toEqual(lasts);
  await run(null);
  expect(await said()).toEqual(over);
});
