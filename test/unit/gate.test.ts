import { afterEach, describe, expect, it, vi } from 'vitest';
import { createGate, type GateOptions, type GateRequest } from '../../src/api/gate/gate.ts';
import type { Grant, Ledger, Ticket, TokenRequest } from '../../src/core/budget.ts';
import { systemClock } from '../../src/core/clock.ts';
import { BudgetExhaustedError } from '../../src/core/errors.ts';

const never = new AbortController().signal;
const job: GateRequest = { stream: 'acciones', purpose: 'job', priority: 5, signal: never };

/** Bottleneck (2.19.5) takes in, starts and ends a job with timers of a millisecond each. */
const bottleneckMs = 10;

/** A ledger that grants until it is told otherwise, and writes down what it is asked. */
function openLedger(answer?: (asked: number) => Grant | undefined) {
  const asked: TokenRequest[] = [];
  const settled: Ticket[] = [];
  const blocks: unknown[] = [];
  const ledger: Ledger = {
    take: async (request) => {
      asked.push(request);
      const ticket = { account: request.account, slot: String(asked.length) };
      return answer?.(asked.length) ?? { granted: true, ticket, remainingToday: 5_000 - asked.length };
    },
    settle: async (ticket) => {
      settled.push(ticket);
    },
    giveBack: async () => undefined,
    block: async (...blocked) => {
      blocks.push(blocked);
    },
  };
  return { ledger, asked, settled, blocks };
}

const fullFor = (retryInMs: number) => ({ granted: false, reason: 'minute', retryInMs }) as const;

function gateWith(ledger: Ledger, over: Partial<GateOptions> = {}) {
  const given = { account: 'default', ledger, clock: systemClock, perMinute: 60, concurrency: 2 };
  return createGate({ ...given, ...over });
}

/** An attempt that ends when told. */
function held<T>(result: T) {
  let finish: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { finish, attempt: async () => ended.then(() => ({ result })) };
}

afterEach(() => void vi.useRealTimers());

describe('the gate', () => {
  it('takes one token for each attempt and settles it, also when the attempt fails', async () => {
    const { ledger, asked, settled } = openLedger();
    const gate = gateWith(ledger);
    await expect(gate.run(job, async () => ({ result: 'page' }))).resolves.toBe('page');
    await expect(gate.run(job, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(asked).toEqual(
      Array(2).fill({ account: 'default', stream: 'acciones', purpose: 'job', perMinute: 60 }),
    );
    expect(settled.map(({ slot }) => slot)).toEqual(['1', '2']);
    expect(gate.remainingToday()).toBe(4_998);
    await gate.close();
  });

  it('settles when the head of the answer is in, before a long body', async () => {
    const { ledger, settled } = openLedger();
    const body = held('page');
    const running = gateWith(ledger).run(job, async (seen) => {
      seen({ limit: 60, remaining: 59, resetS: 60 });
      return body.attempt();
    });
    await vi.waitFor(() => expect(settled).toHaveLength(1));
    body.finish();
    await running;
    expect(settled).toHaveLength(1);
  });

  it('hands back the answer only when its token is settled', async () => {
    const { ledger } = openLedger();
    const settling = held(undefined);
    const settle = vi.fn(async () => void (await settling.attempt()));
    const gate = gateWith({ ...ledger, settle });
    const answered = vi.fn();
    const running = gate.run(job, async () => ({ result: 'page' })).then(answered);
    await vi.waitFor(() => expect(settle).toHaveBeenCalled());
    expect(answered).not.toHaveBeenCalled();
    settling.finish();
    await running;
  });

  it('goes on as soon as an answer is in, where the place of a request under way is waited for', async () => {
    const { ledger } = openLedger((asked) => (asked === 2 ? fullFor(72_000) : undefined));
    const sleep = vi.fn(systemClock.sleep);
    const gate = gateWith(ledger, { clock: { ...systemClock, sleep } });
    const slow = held('slow');
    const running = gate.run(job, slow.attempt);
    const next = vi.fn(async () => ({ result: 'next' }));
    const waiting = gate.run(job, next);
    await vi.waitFor(() => expect(sleep).toHaveBeenCalled());
    expect(next).not.toHaveBeenCalled();
    slow.finish();
    await vi.waitFor(() => expect(next).toHaveBeenCalled());
    await Promise.all([running, waiting]);
  });

  it('gives the answer even when settling fails', async () => {
    const { ledger } = openLedger();
    const gate = gateWith({ ...ledger, settle: () => Promise.reject(new Error('connection lost')) });
    await expect(gate.run(job, async () => ({ result: 'page' }))).resolves.toBe('page');
  });

  it('keeps no more requests in flight than it may, and lets the urgent go first', async () => {
    vi.useFakeTimers();
    const gate = gateWith(openLedger().ledger, { concurrency: 1 });
    const order: string[] = [];
    const first = held('first');
    const run = (name: string, priority: number) =>
      gate.run({ ...job, priority }, async () => {
        order.push(name);
        return { result: name };
      });
    const begun = vi.fn(first.attempt);
    const running = gate.run(job, begun);
    await vi.waitFor(() => expect(begun).toHaveBeenCalled());
    const others = [run('late', 9), run('normal', 5), run('urgent', 0), run('clamped', -3)];
    // Bottleneck takes them in one after the other.
    await vi.advanceTimersByTimeAsync(4 * bottleneckMs);
    expect(order).toEqual([]);
    first.finish();
    await vi.advanceTimersByTimeAsync(4 * bottleneckMs);
    await Promise.all([running, ...others]);
    expect(order).toEqual(['urgent', 'clamped', 'normal', 'late']);
  });

  it('asks again when the ledger says that the minute is full, and tells until when, and whether the server asked for it', async () => {
    let nowMs = 5_000;
    const { ledger, asked } = openLedger((count) => (count < 3 ? fullFor(10) : undefined));
    const told: unknown[] = [];
    const onFull = (until: Date, isAsked: boolean) => {
      told.push([until, isAsked]);
      nowMs += 7_000;
    };
    const gate = gateWith(ledger, { clock: { ...systemClock, now: () => nowMs }, onFull });
    await gate.refused({ kind: 'minute', waitMs: 7_000 });
    await gate.run(job, async () => ({ result: 1 }));
    expect(asked).toHaveLength(3);
    expect(told).toEqual([
      [new Date(5_010), true],
      [new Date(12_010), false],
    ]);
  });

  it('ends with the time of renewal when the day is used up, and makes no request', async () => {
    const { ledger } = openLedger(() => ({ granted: false, reason: 'day', retryInMs: 3_600_000 }));
    const attempt = vi.fn(async () => ({ result: 1 }));
    const clock = { ...systemClock, now: () => Date.UTC(2026, 0, 5, 23) };
    const run = gateWith(ledger, { clock }).run(job, attempt);
    await expect(run).rejects.toThrow(BudgetExhaustedError);
    await expect(run).rejects.toMatchObject({ until: new Date('2026-01-06T00:00:00Z') });
    expect(attempt).not.toHaveBeenCalled();
  });

  it('passes refusals and readings on to the ledger, so that every process waits', async () => {
    const { ledger, blocks } = openLedger();
    const settle = vi.fn(async () => undefined);
    const gate = gateWith({ ...ledger, settle });
    await gate.refused({ kind: 'minute', waitMs: 7_000 });
    await gate.refused({ kind: 'day', waitMs: 3_600_000 });
    expect(blocks.join(' ')).toBe('default,minute,7000 default,day,3600000');
    await gate.run(job, async (seen) => {
      seen({ limit: 60, remaining: 59, resetS: 50 });
      return { result: 1 };
    });
    const reading = { limit: 60, remaining: 59, resetMs: 50_000, latencyMs: expect.any(Number) };
    expect(settle).toHaveBeenCalledWith(expect.anything(), reading);
  });

  it('stops waiting at once when the run is aborted, and takes no token for what was still in line', async () => {
    const { ledger, asked } = openLedger(() => fullFor(60_000));
    const controller = new AbortController();
    const gate = gateWith(ledger, { concurrency: 1 });
    const { signal } = controller;
    const runs = [1, 2, 3].map(() => gate.run({ ...job, signal }, async () => ({ result: 1 })));
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    controller.abort(new Error('Ctrl-C'));
    const ends = await Promise.allSettled(runs);
    const reasons = ends.map((end) => end.status === 'rejected' && String(end.reason));
    expect(reasons).toEqual(Array(3).fill('Error: Ctrl-C'));
    expect(asked).toHaveLength(1);
  });

  it('closes without hanging: what waits is refused, what runs is awaited and settled', async () => {
    const { ledger, asked, settled } = openLedger((count) => (count > 1 ? fullFor(60_000) : undefined));
    const gate = gateWith(ledger);
    const slow = held('page');
    const running = gate.run(job, slow.attempt);
    const waiting = [1, 2, 3].map(() => gate.run(job, async () => ({ result: 'never' })));
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(1));
    const closed = vi.fn();
    const closing = gate.close().then(closed);
    const ends = await Promise.allSettled(waiting);
    expect(ends.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    expect(closed).not.toHaveBeenCalled();
    slow.finish();
    await expect(running).resolves.toBe('page');
    await closing;
    expect(settled).toHaveLength(1);
    await expect(gate.run(job, async () => ({ result: 1 }))).rejects.toThrow(/closed/);
  });
});
