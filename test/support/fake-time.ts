// Replaces the timers and the Date of this process, outside of a test runner: time passes only when told.
import type { MonthTime } from './schedule-month.ts';

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly fire: () => void;
}

export interface FakeTime extends MonthTime {
  restore(): void;
}

export function fakeTime(start: string): FakeTime {
  const real = {
    Date: globalThis.Date,
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
  };
  const timers = new Set<Timer>();
  let nowMs = real.Date.parse(start);
  let order = 0;

  class FakeDate extends real.Date {
    static override now(): number {
      return nowMs;
    }
    constructor(...args: readonly [] | readonly [string | number | Date]) {
      super(args[0] ?? nowMs);
    }
  }

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
  const runUntil = async (untilMs: number) => {
    await settle();
    for (let timer = next(untilMs); timer !== undefined; timer = next(untilMs)) {
      timers.delete(timer);
      nowMs = Math.max(nowMs, timer.atMs);
      timer.fire();
      await settle();
    }
    nowMs = Math.max(nowMs, untilMs);
  };

  globalThis.Date = FakeDate as DateConstructor;
  globalThis.setTimeout = ((fire: (...given: unknown[]) => void, delayMs = 0, ...given: unknown[]) => {
    order += 1;
    const timer = {
      atMs: nowMs + Math.max(delayMs, 0),
      order,
      fire: () => fire(...given),
      unref: () => timer,
    };
    timers.add(timer);
    return timer;
  }) as never;
  globalThis.clearTimeout = ((timer: unknown) => timers.delete(timer as Timer)) as never;

  return {
    until: (moment) => runUntil(real.Date.parse(moment)),
    pass: (ms) => runUntil(nowMs + ms),
    restore: () => Object.assign(globalThis, real),
  };
}
