import { once } from 'node:events';
import { connect, createServer, type Server, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ListeningServer, limitConnections, startServer } from '../../src/core/http.ts';
import { createPulse, type Health, startHttpServer } from '../../src/jobs/schedule/http-server.ts';
import { createMetrics } from '../../src/jobs/schedule/metrics.ts';
import { closing } from '../support/closing.ts';
import { sliceOutcome } from '../support/slice-outcome.ts';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';

let server: ListeningServer;
let health: Health = { alive: true, ready: true, state: 'working' };
const metrics = createMetrics(() => 1);

beforeAll(async () => {
  const { registry } = metrics;
  server = await startHttpServer({ host: '127.0.0.1', port: 0, health: () => health, registry });
});
afterAll(() => server.close());

/** For what happens at once where the machine is idle. */
const patient = 20_000;

const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);

describe('the HTTP server of the scheduler', () => {
  test.each([
    [{ alive: true, ready: true, state: 'working' }, 200, 200],
    [{ alive: true, ready: true, state: 'standing_by' }, 200, 200],
    [{ alive: true, ready: false, state: 'database_unreachable' }, 200, 503],
    [{ alive: false, ready: true, state: 'working' }, 503, 503],
  ])('%j: /healthz %i, /readyz %i', async (now, healthz, readyz) => {
    health = now;
    const answers = [await get('/healthz'), await get('/readyz?probe=1')];
    expect(answers.map(({ status }) => status)).toEqual([healthz, readyz]);
    expect(await answers[0]?.json()).toEqual({ ok: healthz === 200, state: now.state });
  });

  test('/metrics speaks Prometheus', async () => {
    metrics.onEvent({ kind: 'request', account: 'a', status: 200, remainingToday: 41 });
    metrics.onEvent({ kind: 'request', account: 'a', status: undefined, remainingToday: undefined });
    const outcome = sliceOutcome({ records: 3, inserted: 2, changed: 1 });
    metrics.onEvent({ kind: 'slice', outcome });
    metrics.onEvent({ kind: 'slice', outcome: { ...outcome, already: true } });
    metrics.onState('working');
    metrics.onDatabase(true);
    metrics.onLag('daily', 90_000);
    metrics.onIncidents(new Map([['key_refused', 1]]));
    metrics.onFreshness([{ account: 'a', stream: 's', completedAt: new Date(Date.now() - 60_000) }]);
    const writes = { account: 'a', kind: 'logs', status: 'accepted', writes: 4, amount: 9 } as const;
    // They stay what the database has, however often they are looked at.
    for (const _ of [1, 2]) metrics.onWrites({ tallies: [writes], open: [], uses: [] });
    const answer = await get('/metrics');
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await answer.text();
    for (const line of [
      'airank_requests_total{account="a",status="200"} 1',
      'airank_requests_total{account="a",status="none"} 1',
      'airank_budget_remaining_requests{account="a"} 41',
      'airank_slices_total{account="a",end="complete"} 1',
      'airank_records_total{account="a",change="inserted"} 2',
      'airank_job_lag_seconds{job="daily"} 90',
      'airank_scheduler_working 1',
      'airank_database_up 1',
      'airank_incidents{kind="key_refused"} 1',
      'airank_writes_total{account="a",kind="logs",status="accepted"} 4',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).toMatch(/airank_stream_age_seconds\{account="a",stream="s"\} 6\d/);
    expect(text).toContain('process_cpu_seconds_total');
  });

  test('a stream of which every client left has no age any more', async () => {
    const completedAt = new Date();
    metrics.onFreshness(['s', 'left'].map((stream) => ({ account: 'a', stream, completedAt })));
    expect(await (await get('/metrics')).text()).toMatch(/age_seconds\{account="a",stream="left"\}/);
    metrics.onFreshness([{ account: 'a', stream: 's', completedAt }]);
    const text = await (await get('/metrics')).text();
    expect(text).toContain('stream_published_timestamp_seconds{account="a",stream="s"}');
    expect(text).not.toContain('stream="left"');
  });

  test('other paths and methods are refused', async () => {
    expect((await get('/')).status).toBe(404);
    expect((await get('/metrics', { method: 'POST' })).status).toBe(405);
    expect((await get('/healthz', { method: 'HEAD' })).status).toBe(503);
  });
});

describe('under a flood', () => {
  const kept = closing();
  async function start(patienceMs: number, look = () => health) {
    const options = { host: '127.0.0.1', port: 0, registry: metrics.registry };
    return kept(await startHttpServer({ ...options, health: look, patienceMs }));
  }

  function visit(port: number, says: string) {
    const socket = connect(port, '127.0.0.1', () => socket.write(says));
    let text = '';
    socket.on('data', (part) => {
      text += part;
    });
    socket.on('error', () => undefined);
    kept({ close: async () => void socket.destroy() });
    const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    return { socket, heard: () => text, gone };
  }

  const visits = (port: number, count: number, says: string) =>
    Array.from({ length: count }, () => visit(port, says));
  const request = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
  const unfinished = 'GET /healthz HTTP/1.1\r\nhost: x\r\n';

  test('at most 64 connections are open, and a probe that comes after them gets its answer', async () => {
    const { port } = await start(3_600_000);
    const all = visits(port, 100, unfinished);
    const closed = vi.fn();
    for (const { gone } of all) gone.then(closed);
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(36), patient);
    const probe = visit(port, request);
    await probe.gone;
    expect(probe.heard()).toContain('"state"');
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(37), patient);
  });

  test('a connection that sends a byte now and then is closed too', async () => {
    const { port } = await start(100);
    const slow = visit(port, unfinished);
    // A byte before the request would make another one of it.
    await once(slow.socket, 'connect');
    const drip = setInterval(() => slow.socket.write('x'), 5);
    await slow.gone;
    clearInterval(drip);
    expect(slow.heard()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('a connection that is silent while it waits is closed, and a head of 16 KiB is refused', async () => {
    const never = () => new Promise<void>(() => undefined);
    const { port } = kept(await startServer(0, never, { silenceMs: 100 }));
    await visit(port, request).gone;
    const long = visit(port, `${unfinished}long: ${'x'.repeat(16_384)}\r\n\r\n`);
    await long.gone;
    expect(long.heard()).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('of requests that are pipelined one is answered, however many they are', async () => {
    const look = vi.fn(() => health);
    const counted = await start(3_600_000, look);
    const all = visits(counted.port, 20, request.repeat(5_000));
    await Promise.all(all.map(({ gone }) => gone));
    expect(look).toHaveBeenCalledTimes(20);
  });
});

describe('the pulse of the database', () => {
  let clock: VirtualClock;
  const stop = new AbortController();
  beforeEach(() => {
    clock = createVirtualClock(0);
  });
  afterEach(() => clock.restore());

  const never = () => new Promise<void>(() => undefined);

  test('is down until the database has answered once', async () => {
    const pulse = createPulse({ clock, ask: () => Promise.resolve() });
    expect(pulse.isUp()).toBe(false);
    void pulse.beat(stop.signal);
    await clock.runUntil(1);
    expect(pulse.isUp()).toBe(true);
  });

  test.each([
    ['refuses', () => Promise.reject(new Error('refused'))],
    ['hangs', never],
  ])('a database that %s is known within ten seconds, and so is its return', async (_, lost) => {
    let ask: () => Promise<void> = () => Promise.resolve();
    const beats: boolean[] = [];
    const pulse = createPulse({ clock, ask: () => ask(), onBeat: (isUp) => beats.push(isUp) });
    void pulse.beat(stop.signal);
    await clock.runUntil(100_000);
    expect([pulse.isUp(), new Set(beats)]).toEqual([true, new Set([true])]);
    let comeBack = () => {};
    ask = () => Promise.race([lost(), new Promise<void>((resolve) => (comeBack = resolve))]);
    await clock.runUntil(109_999);
    expect(pulse.isUp()).toBe(false);
    ask = () => Promise.resolve();
    comeBack();
    await clock.runUntil(119_999);
    expect(pulse.isUp()).toBe(true);
  });

  test('a question that hangs is asked once, and holds up no stop', async () => {
    const end = new AbortController();
    const ask = vi.fn(never);
    const beating = createPulse({ clock, ask }).beat(end.signal);
    await clock.runUntil(600_000);
    end.abort();
    await clock.runUntil(600_001);
    await beating;
    expect(ask).toHaveBeenCalledTimes(1);
  });
});

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection of nobody. */
function come(server: Server): Socket {
  const socket = new Socket();
  sockets.push(socket);
  server.emit('connection', socket);
  return socket;
}

const open = (all: readonly Socket[]) => all.map((socket) => !socket.destroyed);

test('the oldest without a request makes room, and the oldest of all only where each has one', () => {
  const server = createServer();
  const { asked } = limitConnections(server, 2);
  const [asking, silent] = [come(server), come(server)];
  asked(asking);
  const third = come(server);
  expect(open([asking, silent, third])).toEqual([true, false, true]);
  asked(third);
  const fourth = come(server);
  expect(open([asking, third, fourth])).toEqual([false, true, true]);
});

test('one that has its answer makes room after those that were silent before', () => {
  const server = createServer();
  const { asked, answered } = limitConnections(server, 2);
  const [first, silent] = [come(server), come(server)];
  asked(first);
  answered(first);
  const third = come(server);
  const fourth = come(server);
  expect(open([silent, first, third, fourth])).toEqual([false, false, true, true]);
});

test('one that closed by itself takes no room, whatever is said of it later', async () => {
  const server = createServer();
  const { asked } = limitConnections(server, 2);
  const [first, left] = [come(server), come(server)];
  left.destroy();
  await once(left, 'close');
  asked(left);
  const third = come(server);
  expect(open([first, third])).toEqual([true, true]);
});
