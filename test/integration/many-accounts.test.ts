// Fifty accounts in one process: a fixed number of connections, so many accounts at once, a run for each.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Limits } from '../../src/config/config.ts';
import { createPool } from '../../src/db/pool.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { runBatch } from '../support/sync-in-process.ts';
import { eachDatabase } from '../support/test-database.ts';

const keys = Array.from({ length: 50 }, (_, index) => `key-${index + 1}`);
const streams = ['sources'];
/** Connections that the server allows the role that syncs. */
const mostConnections = 12;

let sandbox: Sandbox;
const database = eachDatabase();
let role: string;
let url: string;
let refusals = 0;

beforeAll(async () => {
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
  sandbox = await startSandbox({ clients: 0, size: 0.1, apiKeys: keys, ...limits });
});
afterAll(() => sandbox?.close());

beforeEach(async () => {
  role = `few_${randomBytes(4).toString('hex')}`;
  const { pool } = database;
  const own = new URL(database.url);
  await pool.query(
    `create role ${role} login password 'few' connection limit ${mostConnections}; grant ${own.username} to ${role}`,
  );
  own.username = role;
  own.password = 'few';
  url = own.href;
  refusals = 0;
  const connect = pg.Client.prototype.connect;
  vi.spyOn(pg.Client.prototype, 'connect').mockImplementation(function (
    this: pg.Client,
    told?: (error: Error) => void,
  ) {
    const count = (error: Error & { code?: string }) => {
      if (error?.code === '53300') refusals += 1;
      told?.(error);
    };
    return connect.call(this, count as () => void);
  } as typeof connect);
});
afterEach(async () => {
  vi.restoreAllMocks();
  const { pool } = database;
  await pool.query(`drop owned by ${role} cascade; drop role ${role}`);
});

/** Of so many connections. */
async function withPool<Result>(max: number, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const pool = createPool({ connectionString: url, max, applicationName: 'many' });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

async function sync(max: number, limits: Partial<Limits>, of = keys) {
  const log: Record<string, unknown>[] = [];
  const atWork = { now: 0, most: 0 };
  const note = (line: Record<string, unknown>) => {
    log.push(line);
    if (line['event'] === 'run.started') atWork.most = Math.max(atWork.most, ++atWork.now);
    if (line['event'] === 'run.finished') atWork.now -= 1;
  };
  const summary = await withPool(max, (pool) =>
    runBatch({ pool, url: sandbox.url, keys: of, streams, limits, log: note }),
  );
  return { summary, log, most: atWork.most };
}

const withWarnings = (log: readonly Record<string, unknown>[]) =>
  log.filter(({ event }) => /^database\.|_failed$/.test(String(event)));

test('50 accounts at once need no more connections than the setting allows: the server refuses none', async () => {
  const { summary, log, most } = await sync(10, { accountConcurrency: 50 });
  expect(refusals).toBe(0);
  expect(withWarnings(log)).toEqual([]);
  expect(summary).toMatchObject({ status: 'complete', exit_code: 0 });
  expect(summary.accounts.map(({ account, status }) => `${account} ${status}`)).toEqual(
    keys.map((key) => `${key} complete`),
  );
  expect(most).toBe(50);
  // One run an account, each with its plan and its summary, in one batch.
  const { rows } = await database.pool.query(`
    select count(*)::int as runs, count(distinct account)::int as accounts, count(distinct batch_id)::int as batches,
      count(*) filter (where status = 'complete' and plan ->> 'account' = account and summary ->> 'account' = account)::int as whole,
      (select array_agg(job || ' ' || status) from sync.batch) as batch
    from sync.run`);
  expect(rows).toEqual([{ runs: 50, accounts: 50, batches: 1, whole: 50, batch: ['test complete'] }]);
});

test('two connections are enough: only the lock session holds one while another is asked for', async () => {
  const { summary, most } = await sync(2, { accountConcurrency: 10 }, keys.slice(0, 12));
  expect(summary).toMatchObject({ status: 'complete', exit_code: 0 });
  expect(refusals).toBe(0);
  expect(most).toBe(10);
});

test('a server that refuses connections gets no more than the pool has: no slice fails and no account ends', async () => {
  const others = createPool({ connectionString: url, max: mostConnections - 3, applicationName: 'others' });
  const held = await Promise.all(Array.from({ length: mostConnections - 3 }, () => others.connect()));
  const free = () => {
    for (const client of held.splice(0)) client.release(true);
  };
  let freeing: NodeJS.Timeout | undefined;
  const watch = setInterval(() => {
    if (refusals > 0) freeing ??= setTimeout(free, 1_000);
  }, 20);
  try {
    const { summary, log } = await sync(10, { accountConcurrency: 12 }, keys.slice(0, 12));
    expect(refusals).toBeGreaterThan(0);
    expect(log.filter(({ event }) => ['database.busy', 'database.lost'].includes(String(event)))).toEqual([]);
    expect(summary).toMatchObject({ status: 'complete', exit_code: 0 });
  } finally {
    clearInterval(watch);
    clearTimeout(freeing);
    free();
    await others.end();
  }
});

test('an error in the run of one account does not stop the other accounts of the batch', () =>
  withPool(4, async (pool) => {
    const broken = runBatch({
      pool,
      url: sandbox.url,
      keys: keys.slice(0, 4),
      streams,
      limits: { accountConcurrency: 2 },
      emit: (event) => {
        if (event.kind === 'planned' && event.account === 'key-2') throw new RangeError('a fault of ours');
      },
    });
    await expect(broken).rejects.toThrow('a fault of ours');
    const { rows } = await database.pool.query(
      'select account, status from sync.run union all select job, status from sync.batch order by 1',
    );
    expect(rows.map(({ account, status }) => `${account} ${status}`)).toEqual([
      'key-1 complete',
      'key-2 failed',
      'key-3 complete',
      'key-4 complete',
      'test failed',
    ]);
  }));

test('after a stop no further account begins; the summary names them, and the next batch takes them', () =>
  withPool(4, async (pool) => {
    const stop = new AbortController();
    const request = { pool, url: sandbox.url, keys: keys.slice(0, 5), streams };
    const limits = { accountConcurrency: 1 };
    const log = (line: Record<string, unknown>) => {
      if (line['event'] === 'run.finished' && line['account'] === 'key-2') stop.abort();
    };
    const stopped = await runBatch({ ...request, limits, log, signal: stop.signal });
    expect(stopped).toMatchObject({
      status: 'stopped',
      exit_code: 1,
      accounts: [{ account: 'key-1' }, { account: 'key-2' }],
      accounts_not_started: ['key-3', 'key-4', 'key-5'],
    });
    const next = await runBatch(request);
    expect(next).toMatchObject({ status: 'complete', exit_code: 0, accounts_not_started: [] });
    const { rows } = await database.pool.query('select status from sync.batch order by id');
    expect(rows).toEqual([{ status: 'stopped' }, { status: 'complete' }]);
  }));
