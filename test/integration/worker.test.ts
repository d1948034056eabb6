// A worker takes what a scheduler gave to the queue: what stays there when a budget ends, a job of a higher priority
// waits, somebody cancels, or its settings are others.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { createDatabase } from '../../src/db/database.ts';
import { createDatabaseRetry } from '../../src/db/retry-on-disconnect.ts';
import { type HeldWorker, holdWorker } from '../../src/db/workers.ts';
import type { SyncJob } from '../../src/jobs/define-job.ts';
import { takeJob } from '../../src/jobs/worker/take-job.ts';
import { readOpenBatches, readWorkers } from '../../src/queue/queue-report.ts';
import { cancelBatch } from '../../src/queue/queued-batches.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { readOpenRuns } from '../../src/status/open-runs.ts';
import { accountsConfig, silent } from '../support/config-fixtures.ts';
import { eachDatabase } from '../support/test-database.ts';
import { createLeader, startWorker, type TestWorker } from '../support/worker-in-process.ts';
import { until } from '../workers/until.ts';

const keys = ['north', 'south'];
const job: SyncJob = { name: 'snap', description: 'x', streams: ['airank', 'sources'] };
const due = new Date('2026-01-05T03:00:00Z');

const database = eachDatabase();
let sandbox: Sandbox;
let workers: TestWorker[] = [];
let held: HeldWorker[] = [];

beforeAll(async () => {
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
  sandbox = await startSandbox({ clients: 2, size: 0.25, apiKeys: [...keys, 'rotated'], ...limits });
});
afterAll(() => sandbox?.close());
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await Promise.all(held.map((one) => one.release()));
  workers = [];
  held = [];
});

const work = (...given: Parameters<typeof startWorker>) => {
  const worker = startWorker(...given);
  workers.push(worker);
  return worker;
};

/** A server that is slow enough to be met in the middle of a walk, and a leader that shares its settings. */
async function withSlowServer(
  apiKeys: string[],
  use: (leader: ReturnType<typeof createLeader>, config: ReturnType<typeof accountsConfig>) => Promise<void>,
): Promise<void> {
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
  const slow = await startSandbox({
    clients: 3,
    size: 2,
    apiKeys,
    ...limits,
    faults: { delayMs: [100, 100] },
  });
  try {
    const config = accountsConfig(slow.url, apiKeys);
    const leader = createLeader(database, config);
    await leader.share();
    await use(leader, config);
  } finally {
    await slow.close();
  }
}

/** Takes some seconds on the slow server. */
const manyStreams = ['sources', 'prompts', 'respuestas', 'products', 'citas', 'fanouts', 'perception'];

const rows = async (text: string) => (await database.pool.query(text)).rows;
async function eventuallySettled(leader: ReturnType<typeof createLeader>) {
  let settled: Awaited<ReturnType<typeof leader.settle>> = [];
  await eventually(async () => {
    settled = await leader.settle();
    return settled.length > 0;
  }, 'the batch is not settled');
  return settled;
}
const eventually = (look: () => Promise<boolean>, what: string) => until(look, 30_000, () => what);
const runs = () => rows(`select account, attempt, status from sync.run order by account, id`);
const jobs = () => rows('select key, run_at > now() as is_later from airank_jobs.jobs order by key');

/** A leader that shares its settings and gives the job to the queue, and a worker. */
async function begin(config: ReturnType<typeof accountsConfig>) {
  const leader = createLeader(database, config);
  await leader.share();
  await leader.enqueue(job, due);
  work(database, () => config);
  return leader;
}
const allDone = () => eventually(async () => (await jobs()).length === 0, 'jobs are left');

test('lets status know what a run of a batch is about', async () => {
  const leader = createLeader(database, accountsConfig(sandbox.url, keys));
  await leader.enqueue({ ...job, clients: ['c1'] }, due);
  await rows(
    `insert into sync.run (account, batch_id, run_date) select 'north', id, '2026-01-05' from sync.batch`,
  );
  const [run] = await readOpenRuns(createDatabase(database.pool), 'north');
  expect([...(run?.streams ?? [])].sort()).toEqual(['airank', 'sources']);
  expect(run?.client_ids).toEqual(['c1']);
});

test('works off each account of a batch, which the scheduler then settles once', async () => {
  const config = accountsConfig(sandbox.url, keys);
  const leader = createLeader(database, config);
  await leader.share();
  expect(await leader.enqueue(job, due)).toBe('done');
  expect(await leader.settle()).toEqual([]);
  work(database, () => config);
  await allDone();
  // Nothing is settled unless what it came to is stored first.
  await expect(leader.settle(() => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
  const [settled, ...others] = await leader.settle();
  expect(settled).toMatchObject({
    kind: 'sync',
    summary: {
      job: 'snap',
      status: 'complete',
      exit_code: 0,
      accounts: [{ account: 'north' }, { account: 'south' }],
    },
  });
  expect([others, await leader.settle()]).toEqual([[], []]);
  // The same moment again: nothing of it is left.
  expect(await leader.enqueue(job, due)).toBe('busy');
  const [worker] = await readWorkers(createDatabase(database.pool));
  expect(worker).toMatchObject({ state: 'working', ended: 2, accounts: [] });
});

test('an account whose budget ends is deferred, and goes on after the renewal with the date of that day', async () => {
  const config = accountsConfig(sandbox.url, ['north'], { AIRANK_PER_DAY: '3', AIRANK_RESERVE_PERCENT: '0' });
  const leader = await begin(config);
  await eventuallySettled(leader);
  expect(await runs()).toEqual([{ account: 'north', attempt: 1, status: 'deferred' }]);
  expect(await jobs()).toEqual([{ key: '1:2:north', is_later: true }]);
  expect(await readOpenBatches(createDatabase(database.pool))).toMatchObject([
    { job: 'snap', waiting: 0, running: 0, deferred: 1 },
  ]);
  // The day renews: the ledger is empty, and the run date another one.
  await database.pool.query(`
    truncate sync.budget, sync.budget_account, sync.budget_minute, sync.budget_hour;
    update sync.slice set run_date = run_date - 1; update sync.run set run_date = run_date - 1;
    update airank_jobs._private_jobs set run_at = now() - interval '1 second'`);
  await eventually(async () => (await runs()).length > 1, 'it does not go on');
  const [today] = await rows(
    `select (select run_date from sync.run order by id desc limit 1) = current_date as is_today`,
  );
  expect(today).toEqual({ is_today: true });
  // The next moment of the job replaces what waits for the old one.
  await eventually(
    async () => (await jobs()).some((one) => one.key === '1:3:north'),
    'it is not deferred again',
  );
  await leader.enqueue(job, new Date(due.getTime() + 86_400_000));
  expect((await jobs()).map(({ key }) => key)).toEqual(['2:1:north']);
});

test('a long walk gives way to a job of a higher priority, and goes on after it where it was', async () => {
  await withSlowServer(['north'], async (leader, config) => {
    await leader.enqueue({ name: 'backfill', description: 'x', priority: 'low' }, due);
    work(database, () => config);
    await eventually(async () => (await rows('select from sync.page')).length > 0, 'no page is stored');
    await leader.enqueue({ ...job, name: 'urgent', priority: 'high', streams: ['airank'] }, due);
    await eventually(async () => (await runs()).length > 1, 'the urgent job does not begin');
    await eventually(async () => (await runs()).length === 3, 'the long one does not go on');
    expect((await runs()).slice(0, 2).map(({ status }) => status)).toEqual(['stopped', 'complete']);
    expect((await runs())[2]).toMatchObject({ attempt: 2 });
  });
});

test('a long walk ends at a page, goes on as the next job, and all of it is the outcome', async () => {
  await withSlowServer(['north'], async (leader, config) => {
    await leader.enqueue({ ...job, streams: manyStreams }, due);
    work(database, () => config, 4, 1_000);
    const [settled] = await eventuallySettled(leader);
    const all = await rows(`
      select status, attempt, (summary ->> 'requests')::integer as requests, (summary ->> 'inserted')::integer as inserted
      from sync.run order by id`);
    expect(all.length).toBeGreaterThan(1);
    expect(all.map(({ status }) => status)).toEqual([...all.slice(1).map(() => 'stopped'), 'complete']);
    expect(all.map(({ attempt }) => attempt)).toEqual(all.map((_, index) => index + 1));
    const sum = (figure: string) => all.reduce((total, run) => total + Number(run[figure]), 0);
    const account = { requests: sum('requests'), inserted: sum('inserted'), already_complete: 0 };
    expect(settled).toMatchObject({ summary: { status: 'complete', accounts: [account] } });
  });
});

test('a worker that others found dead although it lives takes back the death that they counted', async () => {
  await withSlowServer(['north'], async (leader, config) => {
    await leader.enqueue(job, due);
    work(database, () => config);
    await eventually(async () => (await rows('select from sync.page')).length > 0, 'no page is stored');
    await rows('select sync.give_up_worker(id) from sync.worker');
    await rows('select application from sync.worker, sync.free_worker(id)');
    const deaths = () => rows(`select count(*)::integer as deaths from sync.job_death`);
    expect(await deaths()).toEqual([{ deaths: 1 }]);
    await rows(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name like 'airank-worker-%' and datname = current_database()`,
    );
    await eventually(async () => (await deaths())[0]?.['deaths'] === 0, 'the death is counted still');
  });
});

test('a cancelled batch takes its waiting accounts out, ends the others, and is not enqueued again', async () => {
  await withSlowServer(keys, async (leader, config) => {
    await leader.enqueue({ name: 'snap', description: 'x' }, due);
    work(database, () => config, 1);
    await eventually(async () => (await runs()).length === 1, 'no run has begun');
    expect(await cancelBatch(createDatabase(database.pool), 1)).toEqual(['south']);
    await allDone();
    expect(await runs()).toEqual([{ account: 'north', attempt: 1, status: 'stopped' }]);
    expect(await leader.settle()).toMatchObject([
      { summary: { status: 'stopped', accounts_not_started: ['south'] } },
    ]);
    expect(await cancelBatch(createDatabase(database.pool), 1)).toBeUndefined();
  });
});

test('a worker with other settings waits and names them, never a key; it works as soon as they are the same', async () => {
  const theirs = accountsConfig(sandbox.url, ['north'], {
    KEY_NORTH: 'rotated',
    AIRANK_TIMEZONE: 'Europe/Madrid',
  });
  let ours = accountsConfig(sandbox.url, keys);
  const leader = createLeader(database, theirs);
  await leader.share();
  await leader.enqueue(job, due);
  const worker = work(database, () => ours);
  await eventually(
    async () => worker.log.some(({ event }) => event === 'worker.waiting'),
    'it does not wait',
  );
  const [line] = worker.log.filter(({ event }) => event === 'worker.waiting');
  expect(line?.['reason']).toContain('account north, account south, timeZone');
  expect(JSON.stringify(worker.log)).not.toContain('rotated');
  expect(await readWorkers(createDatabase(database.pool))).toMatchObject([
    { state: 'waiting', waits_for: expect.stringContaining('account north'), accounts: [] },
  ]);
  expect(await runs()).toEqual([]);
  ours = theirs;
  await allDone();
  expect(await runs()).toEqual([{ account: 'north', attempt: 1, status: 'complete' }]);
});

test('an account that left the configuration fails with the reason, without a request', async () => {
  const leader = createLeader(database, accountsConfig(sandbox.url, keys));
  const config = accountsConfig(sandbox.url, ['north']);
  await leader.enqueue(job, due);
  await leader.share(config);
  work(database, () => config);
  await allDone();
  const [south] = await rows(
    `select status, summary ->> 'ended' as ended, summary ->> 'requests' as requests from sync.run where account = 'south'`,
  );
  expect(south).toEqual({
    status: 'failed',
    ended: 'Account south is no longer in the configuration',
    requests: '0',
  });
});

test('an account that breaks off again and again for an unforeseen reason fails with it, and the scheduler hears of it', async () => {
  const config = accountsConfig(sandbox.url, ['north']);
  const leader = createLeader(database, config);
  await leader.share();
  await leader.enqueue(job, due);
  const db = createDatabase(database.pool);
  const holder = await holdWorker(database.pool, db);
  held.push(holder);
  const [batch] = await rows('select id from sync.batch');
  const payload = { batch: batch?.id, account: 'north', attempt: 1, priority: 0 };
  const deps = {
    ...{ pool: database.pool, db, workerId: holder.id, clock: systemClock, emit: () => undefined },
    logger: silent,
    retry: createDatabaseRetry({ clock: systemClock, logger: silent, patienceMs: () => 0 }),
    current: () => ({
      config,
      get streams(): never {
        throw new TypeError('x is not a function');
      },
    }),
    work: () => {
      throw new Error('Only syncs are tested here');
    },
  };
  const never = new AbortController().signal;
  const take = (tries: number, stop = never) =>
    takeJob(deps, { id: '0', kind: 'sync', payload, tries }, { signal: never, stop });
  await expect(take(7)).rejects.toThrow('x is not a function');
  await expect(take(20, AbortSignal.abort(new Error('SIGTERM')))).rejects.toThrow('SIGTERM');
  expect(await runs()).toEqual([]);
  await take(8);
  await rows('select airank_jobs.remove_job(key) from airank_jobs.jobs');
  const [settled] = await leader.settle();
  expect(settled).toMatchObject({
    summary: {
      status: 'failed',
      accounts: [{ account: 'north', ended: 'Failed 8 times before its run began: x is not a function' }],
    },
  });
});
