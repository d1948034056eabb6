// The scheduler settles batches of the queue that have ended. No worker runs: their rows are written by hand.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Job } from '../../src/jobs/define-job.ts';
import { overdue } from '../../src/jobs/schedule/overdue.ts';
import { enqueueLost } from '../../src/queue/enqueue.ts';
import { cancelBatch, endQueuedWork, readEndedBatches, settleBatch } from '../../src/queue/queued-batches.ts';
import { noteKnownJobs, readJobHistories } from '../../src/status/job-runs.ts';
import { accountsConfig } from '../support/config-fixtures.ts';
import { useDatabase } from '../support/test-database.ts';
import { createLeader } from '../support/worker-in-process.ts';

const keys = ['north', 'south'];
const due = new Date('2026-01-05T03:00:00Z');
const nextDue = new Date('2026-01-06T03:00:00Z');
const sync: Job = { name: 'snap', description: 'x', schedule: '0 3 * * *' };
const report: Job = {
  name: 'monthly',
  description: 'x',
  kind: 'report',
  period: 'month',
  schedule: '0 3 * * *',
};

const database = useDatabase();
let leader: ReturnType<typeof createLeader>;

beforeAll(async () => {
  leader = createLeader(database, accountsConfig('http://127.0.0.1:9', keys));
});
beforeEach(async () => {
  await database.pool.query('truncate sync.batch, sync.run restart identity');
  await database.pool.query('delete from airank_jobs._private_jobs');
});

const query = async (text: string) => (await database.pool.query(text)).rows;
const keysLeft = async () =>
  (await query('select key from airank_jobs.jobs order by key')).map(({ key }) => key);

test('a cancelled report is settled as stopped, told to nobody, and not due again before its next moment', async () => {
  await noteKnownJobs(database.db, [report.name]);
  await leader.enqueue(report, due);
  expect(await cancelBatch(database.db, 1)).toEqual(['']);
  expect(await leader.settle()).toEqual([]);
  expect(await query('select status, settled_at is not null as is_settled from sync.batch')).toEqual([
    { status: 'stopped', is_settled: true },
  ]);
  const histories = await readJobHistories(database.db, [report.name]);
  expect(overdue([report], histories, new Date('2026-01-05T04:00:00Z'), 'UTC')).toEqual([]);
});

test('a report that was cancelled while it was made stays so when it fails, and is done when it is', async () => {
  await leader.enqueue(report, due);
  await cancelBatch(database.db, 1);
  await endQueuedWork(database.db, 1, { status: 'failed', summary: {} });
  expect(await query('select status from sync.batch')).toEqual([{ status: 'stopped' }]);
  await endQueuedWork(database.db, 1, { status: 'complete', summary: {} });
  expect(await query('select status from sync.batch')).toEqual([{ status: 'complete' }]);
});

test('a batch of which an account goes on between the look and the result gets none', async () => {
  await leader.enqueue(sync, due);
  await query('delete from airank_jobs._private_jobs');
  const [ended] = await readEndedBatches(database.db);
  if (ended === undefined) throw new Error('No batch has ended');
  await query(
    `insert into sync.run (account, batch_id, attempt, run_date, status) values ('north', 1, 2, '2026-01-05', 'complete')`,
  );
  const end = { status: 'deferred', summary: {} } as const;
  expect(await settleBatch(database.db, ended, end)).toBe(false);
  const [again] = await readEndedBatches(database.db);
  expect(again === undefined || (await settleBatch(database.db, again, end))).toBe(true);
});

test('a batch that another release has made is settled, and holds up no other', async () => {
  await leader.enqueue(sync, due);
  await query(`update sync.batch set selection = selection || '{"job": {"kind": "of tomorrow"}}'`);
  await query('delete from airank_jobs._private_jobs');
  await query(`
    insert into sync.run (account, batch_id, attempt, run_date, status)
    select account, 1, 1, '2026-01-05', 'failed' from unnest(array['north', 'south']) as account`);
  expect(await leader.settle()).toMatchObject([
    { kind: 'sync', summary: { job: 'snap', accounts_not_started: keys } },
  ]);
});

test('accounts that a newer moment of the job has replaced are not taken up again', async () => {
  await leader.enqueue(sync, due);
  await leader.enqueue(sync, nextDue);
  expect(await enqueueLost(database.db)).toBe(0);
  expect(await keysLeft()).toEqual(['2:1:north', '2:1:south']);
  await query(`delete from airank_jobs._private_jobs where key = '2:1:south'`);
  expect(await enqueueLost(database.db)).toBe(1);
  expect(await keysLeft()).toEqual(['2:1:north', '2:1:south']);
});
