// Workers that die, are cut off or freeze between any two statements: one account is never worked on by two, and none is
// left out. Deaths are counted, apart in time, and bounded; batches that have ended are settled. No worker runs: fakes do
// its steps. Many more of them: test/workers/main.ts.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { createPool } from '../../src/db/pool.ts';
import { createDatabaseRetry } from '../../src/db/retry-on-disconnect.ts';
import { tryLock } from '../../src/db/session-lock.ts';
import { type HeldWorker, holdWorker, reapWorkers } from '../../src/db/workers.ts';
import type { Job } from '../../src/jobs/define-job.ts';
import { overdue } from '../../src/jobs/schedule/overdue.ts';
import { takeJob } from '../../src/jobs/worker/take-job.ts';
import { callWaiting, enqueueLost, type JobKind, mustYield, turnOf } from '../../src/queue/enqueue.ts';
import { readOpenBatches } from '../../src/queue/queue-report.ts';
import {
  cancelBatch,
  endQueuedWork,
  readEndedBatches,
  readQueuedBatch,
  settleBatch,
} from '../../src/queue/queued-batches.ts';
import { noteKnownJobs, readJobHistories } from '../../src/status/job-runs.ts';
import { resolveStreams } from '../../src/streams/catalog.ts';
import { accountsConfig, silent } from '../support/config-fixtures.ts';
import { useDatabase } from '../support/test-database.ts';
import { createLeader } from '../support/worker-in-process.ts';
import { engineStatements } from '../workers/simulation/engine-statements.ts';
import { type FakeWorker, startFakeWorker } from '../workers/simulation/fake-worker.ts';
import { createLeader as createReaper } from '../workers/simulation/leader.ts';
import { simulate } from '../workers/simulation/simulate.ts';

const due = new Date('2026-01-05T03:00:00Z');
const nextDue = new Date('2026-01-06T03:00:00Z');
const sync: Job = { name: 'snap', description: 'x', schedule: '0 3 * * *', streams: ['airank'] };
const report: Job = {
  name: 'monthly',
  description: 'x',
  kind: 'report',
  period: 'month',
  schedule: '0 3 * * *',
};
const config = accountsConfig('http://127.0.0.1:9', ['north']);

const database = useDatabase();
let leader: ReturnType<typeof createLeader>;
const leaderOf = (names: readonly string[]) =>
  createLeader(database, accountsConfig('http://127.0.0.1:9', names));
let reaper: ReturnType<typeof createReaper>;
let holder: HeldWorker;
const workers: FakeWorker[] = [];

beforeAll(async () => {
  leader = createLeader(database, config);
  reaper = createReaper(database.pool);
  holder = await holdWorker(database.pool, database.db);
});
afterAll(async () => {
  await holder?.release();
});
beforeEach(async () => {
  await query('truncate sync.batch, sync.run, sync.page, sync.slice restart identity');
  await query('delete from airank_jobs._private_jobs; delete from sync.worker where id = 900');
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
});

const query = async (text: string) => (await database.pool.query(text)).rows;
const taken = () =>
  query(`
    select p.id, j.task_identifier as kind, p.payload
    from airank_jobs._private_jobs as p join airank_jobs.jobs as j using (id) order by j.key`);
const deathsOf = async () =>
  (await readOpenBatches(database.db)).flatMap(({ deaths }) => deaths.map((one) => one.deaths));

async function startOne(name: string): Promise<FakeWorker> {
  const worker = await startFakeWorker(database.url, engineStatements(), name, () => 1);
  workers.push(worker);
  return worker;
}

/** A worker takes the job, makes so many steps with it and dies; `then` happens before others find it dead. */
async function die(steps: number, then: () => Promise<unknown> = async () => undefined): Promise<void> {
  await query('update airank_jobs._private_jobs set run_at = now()');
  const worker = await startOne(`w${workers.length}`);
  for (let step = 0; step <= steps; step += 1) await worker.step();
  expect(worker.isBusy()).toBe(true);
  await then();
  await reaper.cut(worker, 'all');
  expect(await reaper.look()).toEqual([worker.id]);
}

/** A worker that lives takes the only job of the queue. */
async function take(
  work?: () => Promise<never>,
  given?: { readonly id: string; readonly payload: unknown },
  pool = database.pool,
): Promise<void> {
  const [one] = await taken();
  const job = given === undefined ? one : { ...given, kind: one?.['kind'] };
  const never = new AbortController().signal;
  const deps = {
    ...{ pool, db: database.db, workerId: holder.id, clock: systemClock, emit: () => undefined },
    logger: silent,
    retry: createDatabaseRetry({ clock: systemClock, logger: silent, patienceMs: () => 0 }),
    current: () => ({ config, streams: resolveStreams(config) }),
    work: () => {
      if (work === undefined) throw new Error('Nothing is tried again');
      return work;
    },
  };
  await takeJob(
    deps,
    { id: String(job?.['id']), kind: job?.['kind'], payload: job?.['payload'], tries: 1 },
    { signal: never, stop: never },
  );
  if (given === undefined) await query('select airank_jobs.remove_job(key) from airank_jobs.jobs');
}

/** A command by hand that froze without its lock, in a transaction that holds what `lock` locks. Returns its end. */
async function freeze(missedAt: string, lock: string): Promise<() => Promise<void>> {
  await query(`
    insert into sync.worker (id, host, pid, version, missed_at) overriding system value
    values (900, 'vm', 1, 'x', ${missedAt});
    insert into sync.run (account, batch_id, worker_id, run_date) values ('north', 1, 900, '2026-01-05');
    insert into sync.slice (account, stream, run_date, status, run_id) select account, 'airank', run_date, 'walking', id from sync.run`);
  const frozen = await database.pool.connect();
  // Whoever waits for it waits for so long.
  frozen.on('error', () => undefined);
  await frozen.query(`begin; set local idle_in_transaction_session_timeout = '10s'`);
  await frozen.query(lock);
  return () =>
    frozen.query('rollback').then(
      () => frozen.release(),
      (error: Error) => {
        frozen.release(error);
        throw error;
      },
    );
}

const setDeaths = (deaths: number) =>
  query(
    `insert into sync.job_death select id, 1000 + n from airank_jobs.jobs, generate_series(1, ${deaths}) as n`,
  );

test('an account that ends its worker again and again waits apart from others, and is seen in the queue', async () => {
  await leader.enqueue(sync, due);
  await die(0);
  await die(3);
  expect(await query('select run_at <= now() as may_begin from airank_jobs.jobs')).toEqual([
    { may_begin: true },
  ]);
  expect(await deathsOf()).toEqual([2]);
  await die(3);
  expect(await query('select run_at > now() as waits from airank_jobs.jobs')).toEqual([{ waits: true }]);
  expect(await readOpenBatches(database.db)).toMatchObject([
    { job: 'snap', deaths: [{ account: 'north', deaths: 3 }] },
  ]);
});

test('an account that was worked on for minutes and got further is not blamed; one that got no further is', async () => {
  await leader.enqueue(sync, due);
  // The look lets a minute of it pass.
  const begun = (minutes: number) => () =>
    query(
      `update sync.run set started_at = started_at - make_interval(mins => ${minutes}) where status = 'running'`,
    );
  await die(5, begun(4));
  expect(await deathsOf()).toEqual([1]);
  await die(6, begun(2));
  expect(await deathsOf()).toEqual([2]);
  await die(7, begun(4));
  expect(await query('select count(*)::integer as pages from sync.page')).not.toEqual([{ pages: 0 }]);
  expect(await deathsOf()).toEqual([]);
});

test('a worker that is killed while it stops, as by a deploy, blames no account', async () => {
  await leader.enqueue(sync, due);
  await die(3);
  await die(3, () => query(`update sync.worker set state = 'stopping' where id <> ${holder.id}`));
  expect(await deathsOf()).toEqual([1]);
});

test('two processes that come back each take their own death back, in whatever order', async () => {
  await leader.enqueue(sync, due);
  for (const steps of [3, 3, 3]) await die(steps);
  const [first, second] = workers.map(({ id }) => id);
  await query(`select sync.outlive_worker(${first})`);
  expect(await deathsOf()).toEqual([2]);
  await query(`select sync.outlive_worker(${second}), sync.outlive_worker(${first})`);
  expect(await deathsOf()).toEqual([1]);
});

test('what its account did well forgets the deaths', async () => {
  await leader.enqueue(sync, due);
  await die(3);
  expect(await deathsOf()).toEqual([1]);
  await query('select airank_jobs.complete_jobs(array_agg(id)) from airank_jobs.jobs');
  await reaper.look();
  expect(await query('select from sync.job_death')).toEqual([]);
});

test('after the eighth death it fails with the reason; the same moment tries nothing again, and the next one begins anew', async () => {
  await leader.enqueue(sync, due);
  await setDeaths(8);
  await take();
  const failed = {
    status: 'failed',
    exit_code: 1,
    accounts: [
      { account: 'north', requests: 0, deaths: 8, ended: expect.stringContaining('died 8 times in a row') },
    ],
  };
  expect(await leader.settle()).toMatchObject([{ kind: 'sync', summary: failed }]);
  await leader.enqueue(sync, due);
  expect(await taken()).toMatchObject([{ payload: { batch: 2, account: 'north' } }]);
  expect(await deathsOf()).toEqual([]);
  await take();
  expect(await leader.settle()).toMatchObject([{ kind: 'sync', summary: failed }]);
  await leader.enqueue(sync, nextDue);
  const [next] = await taken();
  const payload = { batch: 3, account: 'north', attempt: 1, priority: 0 };
  expect(next).toMatchObject({ payload });
  expect(await readQueuedBatch(database.db, String(next?.['id']), payload)).toMatchObject({ deaths: 0 });
});

test('a report whose database goes away has not failed: it stays in the queue', async () => {
  await leader.enqueue(report, due);
  const away = async () => {
    throw Object.assign(new Error('terminating connection'), { code: '57P01' });
  };
  await expect(take(away)).rejects.toThrow('terminating connection');
  expect(await leader.settle()).toEqual([]);
  expect(await taken()).toHaveLength(1);
});

test('a batch whose account goes on after a deferral and a death is not over while it waits', async () => {
  await leader.enqueue(sync, due);
  await query(`
    update airank_jobs._private_jobs set key = '1:2:north', run_at = now() + interval '1 minute';
    insert into sync.run (account, batch_id, attempt, run_date, status) values ('north', 1, 1, '2026-01-05', 'deferred')`);
  await query(`update sync.batch set started_at = started_at - interval '1 day'`);
  await query(`
    insert into sync.run (account, batch_id, attempt, run_date, status) values ('north', 1, 2, '2026-01-06', 'stopped')`);
  expect(await leader.settle()).toEqual([]);
});

test('an account that ends its worker each time fails, and those beside it are done before they are blamed for it', async () => {
  const names = ['killer', ...Array.from({ length: 9 }, (_, index) => `beside-${index}`)];
  await leaderOf(names).enqueue(sync, due);
  const engine = engineStatements();
  const left = async () =>
    (
      await query(`
        select split_part(j.key, ':', 3) as account, count(d)::integer as deaths
        from airank_jobs.jobs as j left join sync.job_death as d on d.job_id = j.id group by j.key`)
    ).map(({ account, deaths }) => ({ account: String(account), deaths: Number(deaths) }));
  const most = new Map<string, number>();
  for (let round = 0; (most.get('killer') ?? 0) < 8; round += 1) {
    expect(round).toBeLessThan(100);
    // Makes the first job ten seconds overdue: jobs that come due within that time are worked on together.
    await query(`
      update airank_jobs._private_jobs as p set run_at = p.run_at - (n.first - now()) - interval '10 seconds'
      from (select min(run_at) as first from airank_jobs.jobs) as n`);
    const worker = await startOne(`k${round}`);
    const pool = `pool-${worker.application}`;
    const jobs = [];
    for (;;) {
      const job = await engine.take(database.pool, pool);
      if (job === undefined) break;
      jobs.push(job);
    }
    if (!jobs.some(({ payload }) => (payload as { account: string }).account === 'killer'))
      for (const job of jobs) await engine.complete(database.pool, pool, job);
    await reaper.cut(worker, 'all');
    await reapWorkers(database.db);
    await query(`update sync.worker set missed_at = missed_at - interval '1 minute' where id = ${worker.id}`);
    await reapWorkers(database.db);
    for (const { account, deaths } of await left())
      most.set(account, Math.max(deaths, most.get(account) ?? 0));
  }
  expect(await left()).toEqual([{ account: 'killer', deaths: 8 }]);
  most.delete('killer');
  expect(Math.max(...most.values())).toBeLessThan(8);
});

const other = { lock: (kind: JobKind, account: string) => tryLock(database.pool, turnOf(kind, account)) };

/** The library gives the job to a worker, which puts it back or works on it. */
async function takeOne(work?: () => Promise<never>) {
  const engine = engineStatements();
  const elsewhere = createPool({ connectionString: database.url, max: 3, applicationName: 'elsewhere' });
  try {
    const job = await engine.take(database.pool, 'ours', ['sync', 'report']);
    if (job === undefined) throw new Error('Nothing is due');
    await take(work, job, elsewhere);
    await engine.complete(database.pool, 'ours', job);
  } finally {
    await elsewhere.end();
  }
}

const queued = () =>
  query(
    `select key, attempts, locked_at is not null as locked, run_at > now() as waits from airank_jobs.jobs`,
  );

test('a job whose account is at work elsewhere is put back with its deaths, and begins once that one ends', async () => {
  await leader.enqueue(sync, due);
  await setDeaths(2);
  const turn = await other.lock('sync', 'north');
  const waiting = { key: '1:1:north', attempts: 0, locked: false };
  await takeOne();
  expect(await queued()).toEqual([{ ...waiting, waits: true }]);
  expect(await deathsOf()).toEqual([2]);
  const low = { account: 'north', batch: 0, attempt: 1, priority: 10 };
  expect(await mustYield(database.db, low)).toBe(true);
  expect(await mustYield(database.db, { ...low, priority: 0 })).toBe(false);
  expect(await leader.settle()).toEqual([]);
  await turn?.release();
  await callWaiting(database.db, 'sync', 'north');
  expect(await queued()).toEqual([{ ...waiting, waits: false }]);
});

test('of jobs that wait for an account only those of the highest priority are called', async () => {
  const turn = await other.lock('sync', 'north');
  for (const priority of ['low', 'high', 'normal'] as const) {
    await leader.enqueue({ ...sync, name: priority, priority }, due);
    await takeOne();
  }
  await turn?.release();
  await callWaiting(database.db, 'sync', 'north');
  const called = await query(
    `select b.job from airank_jobs.jobs j join sync.batch b on b.id::text = split_part(j.key, ':', 1) where j.run_at <= now()`,
  );
  expect(called).toEqual([{ job: 'high' }]);
});

test('a job whose account has the run of a lost worker is put back, and not taken again at once', async () => {
  await leader.share();
  await leader.enqueue(sync, due);
  await query(`
    insert into sync.worker (id, pool, host, pid, version, kinds) overriding system value values (900, 'gone', 'vm', 1, 'x', '{sync}');
    insert into sync.batch (job, is_queued, settled_at) values ('other', true, now());
    insert into sync.run (account, batch_id, worker_id, run_date) values ('north', 2, 900, '2026-01-05')`);
  await takeOne();
  expect(await queued()).toEqual([{ key: '1:1:north', attempts: 0, locked: false, waits: true }]);
});

test('a report that the library gives out again after hours does not begin beside the first, nor after it is done', async () => {
  await leader.enqueue(report, due);
  const turn = await other.lock('report', '');
  await takeOne();
  expect(await queued()).toEqual([{ key: '1:1:', attempts: 0, locked: false, waits: true }]);
  await endQueuedWork(database.db, 1, { status: 'complete', summary: {} });
  await turn?.release();
  await callWaiting(database.db, 'report', '');
  await takeOne(() => Promise.reject(new Error('begun twice')));
  expect(await query('select status from sync.batch')).toEqual([{ status: 'complete' }]);
  expect(await queued()).toEqual([]);
});

const minuteAgo = `now() - interval '1 minute'`;

test.each([
  ['its row, and is not missed yet', 'null', 'select from sync.worker where id = 900 for share'],
  ['its row', minuteAgo, 'select from sync.worker where id = 900 for share'],
  ['a slice', minuteAgo, 'select from sync.slice for update'],
])('a dead worker is found beside a frozen command by hand that holds %s', async (_, missedAt, lock) => {
  await leader.enqueue(sync, due);
  const worker = await startOne('dying');
  await worker.step();
  const awake = await freeze(missedAt, lock);
  const reap = async () => (await reapWorkers(database.db)).map(({ id }) => id);
  try {
    await reaper.cut(worker, 'all');
    expect(await reap()).toEqual([]);
    await query(`update sync.worker set missed_at = missed_at - interval '1 minute' where id = ${worker.id}`);
    expect(await reap()).toEqual([worker.id]);
  } finally {
    await awake();
  }
  await query(`update sync.worker set missed_at = ${minuteAgo} where id = 900`);
  expect(await reap()).toEqual([900]);
});

test('a command by hand that was killed is given up where no scheduler ever made the queue', async () => {
  await query('alter schema airank_jobs rename to not_made_yet');
  try {
    await query(`
      insert into sync.worker (id, host, pid, version, missed_at) overriding system value
      values (900, 'vm', 1, 'x', ${minuteAgo})`);
    expect((await reapWorkers(database.db)).map(({ id }) => id)).toEqual([900]);
  } finally {
    await query('alter schema not_made_yet rename to airank_jobs');
  }
});

/** Until it has done that. */
async function stepUntil(worker: FakeWorker, done: RegExp): Promise<void> {
  for (let steps = 0; steps < 20; steps += 1) if (done.test((await worker.step()) ?? '')) return;
  throw new Error(`${worker.name} never did ${done}`);
}

/** Until it has no job any more. */
async function workOff(worker: FakeWorker): Promise<void> {
  do await worker.step();
  while (worker.isBusy());
}

const runsOf = async (job: string) =>
  (
    await query(
      `select r.status from sync.run r join sync.batch b on b.id = r.batch_id where b.job = '${job}' order by r.id`,
    )
  ).map(({ status }) => status);

test('every account run is done once, by one worker at a time, whoever dies in between', async () => {
  expect(await simulate(database.url, { seed: 1, kills: 9 })).toMatchObject({ wrong: [], kills: 9 });
});

// Regression: the locks of a worker that lost its connection are free at once, and it may still write.
test('no run of an account begins before that of a worker that lost its connection is given up and freed', async () => {
  const first = await startOne('first');
  await reaper.enqueue('nightly', ['a']);
  await stepUntil(first, /stored page/);
  await reaper.enqueue('other', ['a']);
  await reaper.cut(first, 'lock');
  const second = await startOne('second');
  await workOff(second);
  expect([await runsOf('nightly'), await runsOf('other')]).toEqual([['running'], []]);
  expect(await reaper.look()).toEqual([first.id]);
  await workOff(second);
  await workOff(second);
  expect([await runsOf('nightly'), await runsOf('other')]).toEqual([['stopped', 'complete'], ['complete']]);
});

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
  const leader = leaderOf(['north', 'south']);
  await leader.enqueue(sync, due);
  await query(`update sync.batch set selection = selection || '{"job": {"kind": "of tomorrow"}}'`);
  await query('delete from airank_jobs._private_jobs');
  await query(`
    insert into sync.run (account, batch_id, attempt, run_date, status)
    select account, 1, 1, '2026-01-05', 'failed' from unnest(array['north', 'south']) as account`);
  expect(await leader.settle()).toMatchObject([
    { kind: 'sync', summary: { job: 'snap', accounts_not_started: ['north', 'south'] } },
  ]);
});

test('accounts that a newer moment of the job has replaced are not taken up again', async () => {
  const leader = leaderOf(['north', 'south']);
  await leader.enqueue(sync, due);
  await leader.enqueue(sync, nextDue);
  expect(await enqueueLost(database.db)).toBe(0);
  expect(await database.lines('select key from airank_jobs.jobs order by key')).toEqual([
    '2:1:north',
    '2:1:south',
  ]);
  await query(`delete from airank_jobs._private_jobs where key = '2:1:south'`);
  expect(await enqueueLost(database.db)).toBe(1);
  expect(await database.lines('select key from airank_jobs.jobs order by key')).toEqual([
    '2:1:north',
    '2:1:south',
  ]);
});
