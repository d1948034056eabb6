import pg from 'pg';
// What a process does while the database is away, is busy or refuses its login, and what the queue's library hears of it.
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { WarehouseError } from '../../src/core/errors.ts';
import { createDatabaseRetry } from '../../src/db/retry-on-disconnect.ts';
import { codeOf } from '../../src/db/sqlstate.ts';
import { runScheduler } from '../../src/jobs/schedule/scheduler.ts';
import { runWorker } from '../../src/jobs/worker/worker.ts';
import { enginePool } from '../../src/queue/engine.ts';
import { accountsConfig } from '../support/config-fixtures.ts';

function world(patienceMs: number, busyMs = patienceMs, expectWrites?: () => Promise<void>) {
  let nowMs = 0;
  const pauses: number[] = [];
  const clock: Clock = {
    now: () => nowMs,
    sleep: async (delayMs) => {
      pauses.push(delayMs);
      nowMs += delayMs;
    },
  };
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line).event) });
  const outages: (number | undefined)[] = [];
  const onOutage = (since: Date | undefined) => outages.push(since?.getTime());
  const retry = createDatabaseRetry({
    ...{ clock, logger, onOutage, random: () => 0.5, ...(expectWrites && { expectWrites }) },
    patienceMs: (error) => (codeOf(error) === '53300' ? busyMs : patienceMs),
  });
  const signal = new AbortController();
  return { retry, pauses, lines, outages, signal, pass: (ms: number) => (nowMs += ms) };
}

const lost = () => Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });

test('waits with growing pauses and tells an outage once', async () => {
  const { retry, pauses, lines, outages, signal } = world(60_000);
  const work = vi.fn(async () => 'done');
  for (let failures = 0; failures < 6; failures += 1) work.mockRejectedValueOnce(lost());
  expect(await retry(work, signal.signal)).toBe('done');
  expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 10_000]);
  expect(lines).toEqual(['database.lost', 'database.back']);
  expect(outages).toEqual([0, undefined]);
});

test('a server without a free connection is busy and not lost, and may be waited for where a lost one is not', async () => {
  const { pauses, lines, signal, retry } = world(0, 60_000);
  const busy = Object.assign(new Error('sorry, too many clients already'), { code: '53300' });
  const work = vi
    .fn(async () => 'done')
    .mockRejectedValueOnce(busy)
    .mockRejectedValueOnce(busy);
  expect(await retry(work, signal.signal)).toBe('done');
  expect(pauses).toEqual([500, 1000]);
  expect(lines).toEqual(['database.busy', 'database.back']);
});

test('a server that only reads is told once, by its name, until a write is taken, whatever it answers to readers', async () => {
  const refused = Object.assign(new Error('cannot execute INSERT'), { code: '25006' });
  let refusals = 5;
  const write = async () => (refusals > 0 ? Promise.reject(refused) : 'written');
  const expectWrites = vi.fn(async () => {
    refusals -= 1;
    await write();
  });
  const { retry, lines, signal } = world(60_000, 60_000, expectWrites);
  const written = Promise.all([retry(write, signal.signal), retry(write, signal.signal)]);
  expect(await retry(async () => 'read', signal.signal)).toBe('read');
  expect(await written).toEqual(['written', 'written']);
  expect(lines).toEqual(['database.read_only', 'database.back']);
  expect(expectWrites).toHaveBeenCalledTimes(5);
});

test('gives up when the time is over, counted from the last progress', async () => {
  const { retry, pass, signal } = world(30_000);
  let tries = 0;
  const work = async (progress: () => void) => {
    tries += 1;
    if (tries < 20) progress();
    pass(1_000);
    throw lost();
  };
  const failure = await retry(work, signal.signal).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(WarehouseError);
  expect(String(failure)).toContain('was unavailable for 30 s: gone');
  expect(tries).toBeGreaterThan(20);
});

test('other errors are thrown at once; no time means no second try', async () => {
  const { retry, pauses, signal } = world(60_000);
  const broken = Object.assign(new Error('syntax'), { code: '42601' });
  await expect(retry(() => Promise.reject(broken), signal.signal)).rejects.toBe(broken);
  await expect(world(0).retry(() => Promise.reject(lost()), signal.signal)).rejects.toThrow('0 s');
  expect(pauses).toEqual([]);
});

test('a stop ends the waiting', async () => {
  const { retry, signal } = world(60_000);
  const work = () => {
    signal.abort();
    return Promise.reject(lost());
  };
  await expect(retry(work, signal.signal)).rejects.toThrow(/^Stopped while the database/);
});

type Connected = Parameters<pg.Pool['connect']>[0];

const never = new AbortController().signal;
const lostOf = (code: string) => Object.assign(new Error(`SQLSTATE ${code}`), { code });

/** A pool whose connections do what comes next of the list. */
function poolOf(...steps: readonly (() => unknown)[]): pg.Pool {
  const left = [...steps];
  const next = async () => left.shift()?.();
  const client = { query: next, release: () => undefined };
  const connect = async () => next().then(() => client);
  return Object.assign(new pg.Pool(), { connect: connect as unknown as pg.Pool['connect'] });
}
const works = () => undefined;
const fails = (code: string) => () => {
  throw lostOf(code);
};

function open(pool: pg.Pool, { lost = never, stopping = never } = {}) {
  const onBroken = vi.fn();
  const wrapped = enginePool(pool, { lost, stopping, onBroken });
  const ask = async () => await (await wrapped.connect()).query('select 1');
  return { wrapped, ask, onBroken };
}

test('lets a connection be given back twice, and tells the pool once', () => {
  const told: unknown[] = [];
  const pool = new pg.Pool({ max: 3 });
  pool.connect = ((given: Connected) =>
    given(undefined, undefined, (reason?: unknown) => {
      if (told.length > 0) throw new Error('Released twice');
      told.push(reason);
    })) as typeof pool.connect;
  const { wrapped } = open(pool);
  wrapped.connect((_error, _client, done) => {
    done('broken');
    done();
  });
  expect(told).toEqual(['broken']);
  expect(wrapped.options.max).toBe(3);
  expect(wrapped).toBeInstanceOf(pg.Pool);
});

test('asks again while the server refuses connections, has none free or has a full disk', async () => {
  vi.useFakeTimers();
  const answer = { rows: [{ id: 1 }] };
  const pool = poolOf(fails('ECONNREFUSED'), fails('53300'), works, fails('53100'), works, () => answer);
  const { ask, onBroken } = open(pool);
  const asked = ask();
  await vi.runAllTimersAsync();
  expect(await asked).toBe(answer);
  expect(onBroken).not.toHaveBeenCalled();
  vi.useRealTimers();
});

// Regression: Node's warning of a leak stood between the lines of the log when a worker met a server that only reads.
test('as many as a worker has wait for a server that only reads, and nothing is written to the console', async () => {
  const warned: unknown[] = [];
  const onWarning = (warning: unknown) => warned.push(warning);
  process.on('warning', onWarning);
  const lost = new AbortController();
  const asked = Array.from({ length: 25 }, () =>
    open(poolOf(works, fails('25006')), { lost: lost.signal }).ask(),
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  lost.abort();
  await Promise.all(asked);
  process.off('warning', onWarning);
  expect(warned).toEqual([]);
});

test.each(['57P01', '42501'])(
  'a statement that ends with %s is answered with nothing, and breaks the engine',
  async (code) => {
    const { ask, onBroken } = open(poolOf(works, fails(code)));
    expect(await ask()).toEqual({ rows: [], rowCount: 0 });
    expect(onBroken).toHaveBeenCalledWith(lostOf(code));
  },
);

test('leaves deadlocks to the library, which asks again', async () => {
  const { ask, onBroken } = open(poolOf(works, fails('40P01')));
  await expect(ask()).rejects.toThrow('40P01');
  expect(onBroken).not.toHaveBeenCalled();
});

test('waits for nobody when it stops, and asks nothing once the jobs may be of others', async () => {
  const stopping = open(poolOf(fails('ECONNREFUSED')), { stopping: AbortSignal.abort() });
  expect(await stopping.ask()).toMatchObject({ rows: [] });
  const lost = open(poolOf(fails('42501')), { lost: AbortSignal.abort() });
  expect(await lost.ask()).toMatchObject({ rows: [] });
  expect([stopping.onBroken, lost.onBroken].map((one) => one.mock.calls)).toEqual([[], []]);
});

test('asks nothing on a connection that came after the jobs were lost', async () => {
  const lost = new AbortController();
  const asked = vi.fn();
  const pool = poolOf(() => lost.abort(), asked);
  expect(await open(pool, { lost: lost.signal }).ask()).toEqual({ rows: [], rowCount: 0 });
  expect(asked).not.toHaveBeenCalled();
});

const reason =
  'The database refused the login for a minute: password authentication failed for user "o". Correct the password';

function refusing() {
  let nowMs = 0;
  const clock: Clock = {
    now: () => nowMs,
    sleep: async (delayMs) => {
      nowMs += delayMs;
      // A loop without an end fails here.
      if (nowMs > 600_000) throw new Error('it is still there after ten minutes');
    },
  };
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line).event) });
  const refuse = async () => {
    throw Object.assign(new Error('password authentication failed for user "o"'), { code: '28P01' });
  };
  return { clock, lines, logger, refuse, passed: () => nowMs };
}

test('a login that is refused for a minute ends a worker, which says it once', async () => {
  const { lines, refuse, passed, ...shared } = refusing();
  const pool = { connect: refuse, query: refuse, end: async () => undefined } as unknown as pg.Pool;
  const config = accountsConfig('http://127.0.0.1:9', ['one']);
  const work = () => {
    throw new Error('It takes no job');
  };
  const given = { openPool: () => pool, current: () => ({ config, streams: [] }), emit: () => undefined };
  const ended = runWorker({ ...given, ...shared, kinds: ['sync'], accountsAtOnce: 1, work }, never);
  await expect(ended).rejects.toThrow(reason);
  expect([passed(), lines]).toEqual([60_000, ['worker.lost']]);
});

test('a login that is refused for a minute ends a scheduler, which says it once', async () => {
  const { lines, refuse, passed, ...shared } = refusing();
  const given = { jobs: [], timeZone: 'UTC', lead: refuse, histories: async () => new Map() };
  const [run, look] = [async () => 'done' as const, async () => 'later' as const];
  const idle = { run, look, settle: async () => undefined, onState: () => undefined };
  await expect(runScheduler({ ...given, ...shared, ...idle }, never)).rejects.toThrow(reason);
  expect([passed(), lines]).toEqual([60_000, ['scheduler.database_unreachable']]);
});
