// The promise for the minute, on virtual time: never a 429 of our making, never a wasted request.
import { afterEach, describe, expect, it } from 'vitest';
import type { WindowKind } from '../../src/sandbox/rate-window.ts';
import { createWorld, type World, type WorldOptions } from '../support/gate-world.ts';

const minuteMs = 60_000;
const durationMs = 15 * minuteMs;
/** Enough for what goes on in the same way all the time. */
const steadyMinutes = 8;
const steadyMs = steadyMinutes * minuteMs;
const servers: readonly WindowKind[] = ['fixed', 'fixed-first', 'sliding'];
/** Each server, and one of them without answers that overtake each other. */
const matrix: readonly { server: WindowKind; latencyMs: readonly [number, number] }[] = [
  ...servers.map((server) => ({ server, latencyMs: [60, 1_500] as const })),
  { server: 'sliding', latencyMs: [1_500, 1_500] },
];

let world: World | undefined;

afterEach(() => world?.clock.restore());

function create(options: WorldOptions): World {
  world = createWorld(options);
  return world;
}

function refusedUs({ server }: World) {
  return server.refused.filter(({ who }) => who === 'us');
}

/** When the world began, on the server's clock. */
function epochMs({ clock }: World): number {
  return clock.now() - clock.worldMs();
}

/** How often we were refused in each minute of the server in which we were. */
function refusalsByMinute(used: World, server: WindowKind): number[] {
  const firstMs = server === 'fixed-first' ? (used.server.accepted[0]?.atMs ?? 0) : 0;
  const minutes = new Map<number, number>();
  for (const { atMs } of refusedUs(used)) {
    const minute = Math.floor((atMs - firstMs) / minuteMs);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
  }
  return [...minutes.values()];
}

/** Others that the headers show before the minute is full. */
const steadyOthers = [
  { what: '20 a minute', processes: 2, nextInMs: (random: () => number) => random() * 6_000 },
  { what: '60 a minute', processes: 1, nextInMs: () => 1_000 },
];

/** No refusal, and at least 97 % of 60 a minute used. */
function expectFullUse(used: World, minutes = 15) {
  expect(refusedUs(used)).toEqual([]);
  expect(used.server.accepted.length).toBeGreaterThanOrEqual(0.97 * 60 * minutes);
}

describe.each(matrix)('against a $server server with $latencyMs ms', ({ server, latencyMs }) => {
  it('uses the whole minute and is never refused', async () => {
    const alone = create({ server, latencyMs });
    alone.start();
    await alone.clock.runUntil(steadyMs);
    expectFullUse(alone, steadyMinutes);
  });

  it('paces by the ledger alone when there are no rate headers', async () => {
    const silent = create({ server, latencyMs, headers: false });
    silent.start();
    await silent.clock.runUntil(steadyMs);
    expectFullUse(silent, steadyMinutes);
  });

  it('loses no request to restarts, even when killed with requests in flight', async () => {
    const restarted = create({ server, latencyMs });
    for (const untilMs of [2.2, 4.51, 9.16, 15]) {
      const started = restarted.start();
      await restarted.clock.runUntil(untilMs * minuteMs);
      if (untilMs < 15) started.kill();
    }
    expectFullUse(restarted);
  });

  it('shares the minute with a second process, which comes, is killed and comes back', async () => {
    const shared = create({ server, latencyMs });
    shared.start();
    await shared.clock.runUntil(7_000);
    const second = shared.start();
    await shared.clock.runUntil(6 * minuteMs + 321);
    second.kill();
    await shared.clock.runUntil(9 * minuteMs);
    shared.start();
    await shared.clock.runUntil(durationMs);
    expectFullUse(shared);
  });

  it('gives back what never reached the server, exactly, and uses the whole minute after it', async () => {
    const processes = 2;
    const isDown = (worldMs: number) => worldMs >= 2.2 * minuteMs && worldMs < 4.5 * minuteMs;
    const cut = create({ server, latencyMs, isDown });
    for (let count = 0; count < processes; count += 1) cut.start();
    await cut.clock.runUntil(4.4 * minuteMs);
    // Nothing is counted but what arrived, and the tries of this moment.
    expect(cut.ledger.held()).toBeLessThanOrEqual(4 * processes);
    expect(cut.ledger.usedToday()).toBe(cut.server.accepted.length + cut.ledger.held());
    await cut.clock.runUntil(durationMs);
    expect(refusedUs(cut)).toEqual([]);
    expect(cut.ledger.notedOfOthers()).toBe(0);
    // The difference is the requests that are on their way.
    expect(cut.ledger.usedToday() - cut.server.accepted.length).toBeLessThanOrEqual(4 * processes);
    const after = cut.server.accepted.filter(({ atMs }) => atMs - epochMs(cut) >= 4.5 * minuteMs);
    expect(after.length).toBeGreaterThanOrEqual(0.97 * 60 * 10.5);
  });

  it('keeps to a limit of the server that is lower than the setting', async () => {
    const lower = create({ server, latencyMs, limit: 30 });
    lower.start();
    await lower.clock.runUntil(steadyMs);
    expect(refusedUs(lower)).toEqual([]);
    expect(lower.server.accepted.length).toBeGreaterThanOrEqual(0.97 * 30 * steadyMinutes);
  });

  it('survives a clock that is set forward and back', async () => {
    const jumping = create({ server, latencyMs });
    jumping.start();
    const jumps = { 2.3: 3_600_000, 5.1: -7_200_000, 7.7: 30_000, 9.9: -30_000, 11.1: 5_000 };
    for (const [atMinute, byMs] of Object.entries(jumps)) {
      await jumping.clock.runUntil(Number(atMinute) * minuteMs);
      jumping.clock.jump(byMs);
    }
    await jumping.clock.runUntil(durationMs);
    expect(refusedUs(jumping)).toEqual([]);
    expect(jumping.server.accepted.length).toBeGreaterThanOrEqual(0.9 * 60 * 15);
  });

  it.each(steadyOthers)(
    'is refused at most once a minute beside other users of the key ($what, processes: $processes)',
    async ({ nextInMs, processes }) => {
      const spied = create({ server, latencyMs, seed: processes });
      spied.others(nextInMs);
      for (let count = 0; count < processes; count += 1) spied.start();
      await spied.clock.runUntil(steadyMs);
      expect(refusalsByMinute(spied, server).filter((count) => count > 1)).toEqual([]);
      // In a sliding minute one request goes after the other: with 1.5 s each that is 40 a minute.
      const share = server === 'sliding' ? 0.85 : 0.97;
      expect(spied.server.accepted.length).toBeGreaterThanOrEqual(share * 60 * steadyMinutes);
    },
  );

  it('loses to a burst that nobody saw coming what is under way, and after that one a minute', async () => {
    const [size, processes] = [20, 2];
    const burst = create({ server, latencyMs, seed: processes });
    burst.others((random) => 1_000 * size * (1 + random() * 4), size);
    for (let count = 0; count < processes; count += 1) burst.start();
    await burst.clock.runUntil(steadyMs);
    const [first = 0, ...later] = refusalsByMinute(burst, server);
    expect(first).toBeLessThanOrEqual(4 * processes);
    expect(later.filter((count) => count > 1)).toEqual([]);
  });
});

it.each(servers)('notes that others spend on a %s server, and never more than they do', async (server) => {
  const spied = create({ server, latencyMs: [60, 500] });
  spied.others((random) => random() * 6_000);
  spied.start();
  await spied.clock.runUntil(steadyMs);
  const spent = spied.server.accepted.filter(({ who }) => who === 'others').length;
  expect(spied.ledger.notedOfOthers()).toBeLessThanOrEqual(spent);
  expect(spied.ledger.notedOfOthers()).toBeGreaterThan(server === 'fixed' ? spent / 3 : 0);
});

it.each([0, 60])(
  'headers that say in every answer that nothing remains and renew in %i s hold back for some minutes only',
  async (resetS) => {
    const held = create({ server: 'fixed', latencyMs: [50, 50], headers: { remaining: 0, resetS } });
    held.start();
    await held.clock.runUntil(durationMs);
    const inMinute = (minute: number) =>
      held.server.accepted.filter(({ atMs }) => Math.floor((atMs - epochMs(held)) / minuteMs) === minute)
        .length;
    // The server is believed at first.
    expect(inMinute(1)).toBeLessThanOrEqual(resetS === 0 ? 60 / 1.25 : 5);
    expect(inMinute(8)).toBeGreaterThanOrEqual(58);
    expect(inMinute(14)).toBeGreaterThanOrEqual(58);
  },
);
