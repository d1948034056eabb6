// Checks what the queue's library never hears of.
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { enginePool } from '../../src/queue/engine.ts';

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
