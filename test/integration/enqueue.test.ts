// A job gets one batch for each moment, however many schedulers find it due at once.
import { beforeEach, expect, test } from 'vitest';
import { enqueueBatch, type NewBatch } from '../../src/queue/enqueue.ts';
import { useDatabase } from '../support/test-database.ts';
import { until } from '../workers/until.ts';

const dueAt = new Date('2026-01-05T03:00:00Z');
const common = { selection: { job: {} }, dueAt, priority: 'normal', spreadMs: 0 } as const;
const sync: NewBatch = { ...common, job: 'snap', kind: 'sync', accounts: ['north', 'south'] };
const report: NewBatch = { ...common, job: 'monthly', kind: 'report', accounts: undefined };

const database = useDatabase();

beforeEach(async () => {
  await query('truncate sync.batch, sync.run restart identity');
  await query('delete from airank_jobs._private_jobs');
});

const query = async (text: string) => (await database.pool.query(text)).rows;
const batches = () => query('select id, due_attempt from sync.batch order by id');

/** Both have looked what is left of the moment before one of them writes. */
async function bothAtOnce(batch: NewBatch): Promise<(number | undefined)[]> {
  const barrier = await database.pool.connect();
  try {
    await barrier.query('begin; lock table sync.batch in exclusive mode');
    const both = [enqueueBatch(database.db, batch), enqueueBatch(database.db, batch)];
    const waiting = `select count(*) = 2 as both_wait from pg_locks where relation = 'sync.batch'::regclass and not granted`;
    await until(
      async () => (await query(waiting))[0]?.['both_wait'] === true,
      30_000,
      () => 'nobody waits',
    );
    await barrier.query('commit');
    return await Promise.all(both);
  } finally {
    barrier.release();
  }
}

test.each([
  ['accounts', sync, 2],
  ['a report', report, 1],
  ['a job that runs once', { ...sync, dueAt: undefined }, 2],
])('two transactions that both find %s due make one batch', async (_, batch, jobs) => {
  expect((await bothAtOnce(batch)).filter((id) => id !== undefined)).toHaveLength(1);
  expect(await batches()).toHaveLength(1);
  expect(await query('select key from airank_jobs.jobs')).toHaveLength(jobs);
});

test('a report that waits, is done or was cancelled is not due again for its moment; one that failed is', async () => {
  await enqueueBatch(database.db, report);
  expect(await enqueueBatch(database.db, report)).toBeUndefined();
  for (const status of ['complete', 'stopped']) {
    await query(`update sync.batch set status = '${status}', settled_at = now()`);
    expect(await enqueueBatch(database.db, report)).toBeUndefined();
  }
  await query(`update sync.batch set status = 'failed'`);
  expect(await enqueueBatch(database.db, report)).toBeDefined();
  expect((await batches()).map(({ due_attempt }) => due_attempt)).toEqual([1, 2]);
});
