// Processes that have more to ask than they may, in front of a server that counts as the sandbox does, on virtual time.
import { createGate, type Gate } from '../../src/api/gate/gate.ts';
import { RateWindow, type WindowKind } from '../../src/sandbox/rate-window.ts';
import { randomOf } from '../torture/random.ts';
import { createMemoryLedger, type MemoryLedger } from './memory-ledger.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

export interface WorldOptions {
  readonly server: WindowKind;
  /** Round trip in milliseconds, from the shortest to the longest. */
  readonly latencyMs: readonly [number, number];
  readonly limit?: number;
  /** None, or what they say instead of the truth. */
  readonly headers?: false | { readonly remaining: number; readonly resetS: number };
  readonly seed?: number;
  /** Nothing listens while this is true of the world's time. */
  readonly isDown?: (worldMs: number) => boolean;
}

export interface World {
  readonly clock: VirtualClock;
  readonly server: ReturnType<typeof serverOf>;
  readonly ledger: MemoryLedger;
  /** Starts a process that always has work waiting; `kill` leaves its requests in flight unsettled. */
  start(): { readonly gate: Gate; kill(): void };
  /** Somebody else asks with the same key at these distances, or as the function says. */
  others(nextInMs: (random: () => number) => number, burst?: number): void;
  random(): number;
}

interface Arrival {
  readonly atMs: number;
  readonly who: 'us' | 'others';
}

function serverOf(kind: WindowKind, limit: number, nowMs: () => number) {
  const window = new RateWindow(limit, kind, 60_000);
  const accepted: Arrival[] = [];
  const refused: Arrival[] = [];
  const arrive = (who: Arrival['who']) => {
    const atMs = nowMs();
    const { allowed, remaining, resetMs } = window.take(atMs);
    (allowed ? accepted : refused).push({ atMs, who });
    return { accepted: allowed, limit, remaining, resetS: Math.ceil(resetMs / 1_000) };
  };
  return { accepted, refused, arrive };
}

const startMs = Date.UTC(2026, 0, 5, 6, 0, 17);

/** Requests at once. */
const concurrency = 4;

export function createWorld(options: WorldOptions): World {
  const { limit = 60, headers } = options;
  const clock = createVirtualClock(startMs);
  const worldNowMs = () => startMs + clock.worldMs();
  const server = serverOf(options.server, limit, worldNowMs);
  const ledger = createMemoryLedger({
    nowMs: worldNowMs,
    sleep: (delayMs) => clock.sleep(delayMs),
    perDay: 1_000_000_000,
  });
  const random = randomOf(options.seed ?? 1);
  const [shortest, longest] = options.latencyMs;

  const ask = async () => {
    const latencyMs = shortest + random() * (longest - shortest);
    const there = latencyMs * random();
    await clock.sleep(there);
    const answer = server.arrive('us');
    await clock.sleep(latencyMs - there);
    return answer;
  };

  const start = () => {
    const account = 'default';
    const controller = new AbortController();
    const { signal } = controller;
    let killed = false;
    // A killed process neither settles nor blocks any more.
    const gate = createGate({
      account,
      ledger: {
        take: (request) => (killed ? new Promise(() => {}) : ledger.take(request)),
        settle: (...settled) => (killed ? new Promise(() => {}) : ledger.settle(...settled)),
        giveBack: (...given) => (killed ? new Promise(() => {}) : ledger.giveBack(...given)),
        block: (...blocked) => (killed ? new Promise(() => {}) : ledger.block(...blocked)),
      },
      clock,
      perMinute: 60,
      concurrency,
    });
    const work = async () => {
      while (!killed) {
        const answer = await gate.run(
          { stream: 'acciones', purpose: 'job', priority: 5, signal },
          async (seen) => {
            if (options.isDown?.(clock.worldMs())) {
              await clock.sleep(1);
              return { result: { accepted: false, resetS: random() }, unsent: true };
            }
            const { accepted, limit: told, remaining, resetS } = await ask();
            seen(headers === false ? {} : { limit: told, remaining, resetS, ...headers });
            if (!accepted) await gate.refused({ kind: 'minute', waitMs: resetS * 1_000 });
            return { result: { accepted, resetS } };
          },
        );
        if (!answer.accepted) await clock.sleep(answer.resetS * 1_000, signal);
      }
    };
    for (let worker = 0; worker < concurrency * 3; worker += 1) void work().catch(() => {});
    return {
      gate,
      kill: () => {
        killed = true;
        controller.abort(new Error('killed'));
      },
    };
  };

  const others = (nextInMs: (random: () => number) => number, burst = 1) => {
    const spend = async () => {
      for (;;) {
        await clock.sleep(nextInMs(random));
        for (let i = 0; i < burst; i += 1) server.arrive('others');
      }
    };
    void spend();
  };

  return { clock, server, ledger, start, others, random };
}
