// Time that passes only when told: sleeps and timers run in order, at once. Hours take milliseconds.
import type { Clock } from '../../src/core/clock.ts';

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly fire: () => void;
  unref(): Timer;
}

export interface VirtualClock extends Clock {
  /** Lets time pass until `untilMs`, firing everything that is due on the way. */
  runUntil(untilMs: number): Promise<void>;
  /** Sets the clock that `now()` shows by so much, as an operator or NTP would. Timers keep their distance. */
  jump(byMs: number): void;
  /** Time since the start, not moved by jumps: the world's own time. */
  worldMs(): number;
  /** Ends the replacement of setTimeout. */
  restore(): void;
}

/** Replaces the global setTimeout too, because Bottleneck (2.19.5) starts every job through one. */
export function createVirtualClock(startMs: number): VirtualClock {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const timers = new Set<Timer>();
  let worldMs = 0;
  let offsetMs = startMs;
  let order = 0;

  const schedule = (delayMs: number, fire: () => void): Timer => {
    order += 1;
    const timer = { atMs: worldMs + Math.max(0, delayMs), order, fire, unref: () => timer };
    timers.add(timer);
    return timer;
  };
  const next = (untilMs: number): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (timer.atMs > untilMs) continue;
      const sooner = first === undefined || timer.atMs < first.atMs;
      if (sooner || (timer.atMs === first?.atMs && timer.order < first.order)) first = timer;
    }
    return first;
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  globalThis.setTimeout = ((fire: (...given: unknown[]) => void, delayMs = 0, ...given: unknown[]) =>
    schedule(delayMs, () => fire(...given))) as never;
  globalThis.clearTimeout = ((timer: unknown) => timers.delete(timer as Timer)) as never;

  return {
    now: () => worldMs + offsetMs,
    worldMs: () => worldMs,
    jump: (byMs) => {
      offsetMs += byMs;
    },
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
          timers.delete(timer);
          reject(signal?.reason);
        };
        const timer = schedule(delayMs, () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        });
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
    runUntil: async (untilMs) => {
      await settle();
      for (let timer = next(untilMs); timer !== undefined; timer = next(untilMs)) {
        timers.delete(timer);
        worldMs = Math.max(worldMs, timer.atMs);
        timer.fire();
        await settle();
      }
      worldMs = Math.max(worldMs, untilMs);
    },
    restore: () => {
      globalThis.setTimeout = real.setTimeout;
      globalThis.clearTimeout = real.clearTimeout;
    },
  };
}
