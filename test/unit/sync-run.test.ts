// A run: how many walks it has at once, on which day it ends, what ends an account, and what is said of it.
import { setImmediate as tick } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { otherDay } from '../../src/api/exchange.ts';
import { summaryLines } from '../../src/cli/commands/sync-command.ts';
import * as errors from '../../src/core/errors.ts';
import { RetryableError, SkippableError, UnavailableError } from '../../src/core/errors.ts';
import { watchDay } from '../../src/sync/run/day-watch.ts';
import { createAccountHealth, judge } from '../../src/sync/run/error-policy.ts';
import { createConcurrencyLimit, createReservations } from '../../src/sync/run/limits.ts';
import { runVerdict, summarizeAccount } from '../../src/sync/run/summary.ts';
import type { SliceEnd, SliceOutcome } from '../../src/sync/run/sync-options.ts';
import { sliceOutcome } from '../support/slice-outcome.ts';

/** Something that another part of the test ends. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('the concurrency limit', () => {
  it('begin the next walk as soon as one slice publishes, and publish two at a time', async () => {
    const limit = createConcurrencyLimit(1);
    const log: string[] = [];
    const publishing = gate();
    for (const name of ['a', 'b', 'c', 'd']) {
      limit.enter(async (inTurn) => {
        log.push(`walk ${name}`);
        await inTurn(async () => {
          log.push(`publish ${name}`);
          await publishing.opened;
        });
        log.push(`end ${name}`);
      });
    }
    await tick();
    await tick();
    // The third waits for its turn to publish, and keeps its place until then.
    expect(log).toEqual(['walk a', 'publish a', 'walk b', 'publish b', 'walk c']);
    publishing.open();
    await limit.onIdle();
    expect(log.filter((line) => line.startsWith('end'))).toHaveLength(4);
  });

  it('wait for work that has begun, and begin none after being cleared', async () => {
    const limit = createConcurrencyLimit(1);
    const first = gate();
    const log: string[] = [];
    limit.enter(async () => {
      log.push('begun');
      await first.opened;
      log.push('ended');
    });
    limit.enter(async () => void log.push('never'));
    await tick();
    limit.clear();
    first.open();
    await limit.onIdle();
    expect(log).toEqual(['begun', 'ended']);
  });
});

it('spares requests for a second walk only where no planned, begun or later slice needs them', () => {
  const reservations = createReservations(() => 20, 5);
  reservations.plan(1, 3);
  reservations.plan(2, 4);
  expect(reservations.begin(1, 3)).toBe(true);
  for (let page = 0; page < 3; page += 1) reservations.page(1);
  // 20, without 5 for later and 4 for the slice that is to begin.
  expect(reservations.spare(1, 12)).toBe(false);
  expect(reservations.spare(1, 11)).toBe(true);
  // They are reserved, and beside them there is room for what was planned.
  expect(reservations.spare(3, 1)).toBe(false);
  expect(reservations.begin(2, 4)).toBe(true);
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Ends after sleeping from one moment to the other. */
function sleeps(timeZone: string, from: string, to: string, date = from): boolean {
  let now = date;
  const clock = { now: () => Date.parse(now), sleep: async () => undefined };
  const day = watchDay(clock, timeZone, new AbortController().signal);
  now = from;
  day.look();
  now = to;
  vi.advanceTimersByTime(10_000);
  day.release();
  return day.signal.aborted;
}

const madrid = 'Europe/Madrid';
/** Midnight itself does not exist on 2026-09-06, and 2026-04-04 has its last hour twice. */
const santiago = 'America/Santiago';

describe('a run ends', () => {
  it.each([
    [madrid, '2026-11-23T22:50:00Z', '2026-11-24T07:00:00Z'],
    // Days of 25 and of 23 hours.
    [madrid, '2026-10-24T21:50:00Z', '2026-10-24T22:10:00Z'],
    [madrid, '2026-10-24T22:10:00Z', '2026-10-25T23:10:00Z'],
    [santiago, '2026-09-06T03:50:00Z', '2026-09-06T04:10:00Z'],
    [santiago, '2026-04-05T03:50:00Z', '2026-04-05T04:10:00Z'],
    // Somebody sets a clock that was ahead.
    [madrid, '2027-01-02T12:00:00Z', '2026-11-23T12:00:00Z'],
  ])('in %s by a sleep from %s to %s, over the end of its day', (zone, from, to) => {
    expect(sleeps(zone, from, to)).toBe(true);
  });

  it('by a sleep on the day after its own', () => {
    const [began, from] = ['2026-11-23T22:59:00Z', '2026-11-24T01:00:00Z'];
    let now: string = began;
    const clock = { now: () => Date.parse(now), sleep: async () => undefined };
    const day = watchDay(clock, madrid, new AbortController().signal);
    // It walks over midnight by itself.
    for (let ms = Date.parse(began); ms <= Date.parse(from); ms += 60_000) {
      now = new Date(ms).toISOString();
      day.look();
    }
    expect(day.signal.aborted).toBe(false);
    now = '2026-11-24T07:00:00Z';
    day.look();
    expect(day.signal.aborted).toBe(true);
    day.release();
  });
});

it.each([
  [madrid, '2026-11-23T08:00:00Z', '2026-11-23T22:59:00Z'],
  [madrid, '2026-11-23T22:58:00Z', '2026-11-23T23:02:59Z'],
  // 24 of the 25 hours of a day, in which UTC has another date.
  [madrid, '2026-03-28T23:05:00Z', '2026-03-29T21:55:00Z'],
  // The end of the short day.
  [santiago, '2026-09-06T04:10:00Z', '2026-09-07T02:50:00Z'],
  // 23:30, and 23:30 once more.
  [santiago, '2026-04-05T02:30:00Z', '2026-04-05T03:30:00Z'],
])('a run goes on in %s after a sleep from %s to %s, within its day or too short', (zone, from, to) => {
  expect(sleeps(zone, from, to)).toBe(false);
});

describe('the clocks of a machine and of the server', () => {
  const ahead = (ours: string, theirs: string) =>
    [Date.parse(theirs) - Date.parse(ours), Date.parse(ours)] as const;

  it.each([
    ['2027-01-02T12:00:00Z', '2026-11-23T12:00:00Z', { ours: '2027-01-02', theirs: '2026-11-23' }],
    ['2026-11-23T22:57:00Z', '2026-11-23T23:03:00Z', { ours: '2026-11-23', theirs: '2026-11-24' }],
    // The day of 23 hours ends at 22:00, which is 23:00 of winter time.
    ['2026-03-29T22:03:00Z', '2026-03-29T21:57:00Z', { ours: '2026-03-30', theirs: '2026-03-29' }],
  ])('show other days in Madrid at %s and %s', (ours, theirs, days) => {
    expect(otherDay(...ahead(ours, theirs), madrid)).toEqual(days);
  });

  it.each([
    ['2026-11-23T22:58:00Z', '2026-11-23T23:02:00Z'],
    ['2026-10-24T22:30:00Z', '2026-10-25T22:30:00Z'],
    ['2026-03-28T23:03:00Z', '2026-03-29T21:57:00Z'],
  ])('agree in Madrid at %s and %s: five minutes, or one day', (ours, theirs) => {
    expect(otherDay(...ahead(ours, theirs), madrid)).toBeUndefined();
  });
});

const answered = (status: number) => new UnavailableError(`GET x answered ${status}`, { status });
const health = () => createAccountHealth('agency', new URL('https://api.example.com/base'));

/** Returns which of several streams failing alike ends the account, from 1; undefined: none of ten. */
function endsAt(error: Error): number | undefined {
  const account = health();
  for (let stream = 1; stream <= 10; stream += 1) {
    if (account.failed(`stream-${stream}`, error) !== undefined) return stream;
  }
  return undefined;
}

describe('the health of an account', () => {
  it.each([
    [answered(401), 2],
    // Single routes give up to five.
    [answered(403), 6],
    [answered(404), 6],
    [new RetryableError('connect ECONNREFUSED'), 2],
    [new SkippableError('redirect', { status: 302 }), 2],
    [new SkippableError('pagination loop', { status: 200 }), undefined],
  ])('ends it by %s at stream number %s', (error, stream) => {
    expect(endsAt(error)).toBe(stream);
  });

  it('never ends it for the same stream again', () => {
    const account = health();
    for (let client = 0; client < 20; client += 1)
      expect(account.failed('products', answered(401))).toBeUndefined();
  });

  it('never ends it once anything succeeded', () => {
    const account = health();
    account.succeeded();
    for (let stream = 0; stream < 20; stream += 1)
      expect(account.failed(`stream-${stream}`, answered(403))).toBeUndefined();
    expect(account.allRefused()).toBeUndefined();
  });

  it('says at the end that everything was refused, when that is all that came, with the setting to look at', () => {
    const account = health();
    expect(account.allRefused()).toBeUndefined();
    account.failed('prediccion', answered(403));
    expect(account.allRefused()?.message).toContain('AIRANK_API_KEY');
    const lost = health();
    lost.failed('a', answered(404));
    expect(lost.allRefused()?.message).toContain('AIRANK_BASE_URL (https://api.example.com/base)');
  });
});

const outcome = (end: SliceEnd, more: Partial<SliceOutcome> = {}) =>
  sliceOutcome({
    ...{ stream: 'products', account: 'agency', clientId: '7', end },
    ...{ records: 3, inserted: 1, changed: 1, vanished: 2, unchanged: 1 },
    ...more,
  });

const summaryOf = (outcomes: readonly SliceOutcome[], ended?: string) =>
  summarizeAccount(
    { account: 'agency', warnings: [], outcomes, ended, deferredUntil: undefined },
    { requests: 5, usedToday: 9, remainingToday: 1 },
  );
function summary(ends: readonly SliceEnd[], ended?: string) {
  const outcomes = ends.map((end) => outcome(end));
  return summaryOf(outcomes, ended);
}

describe('the verdict on a run', () => {
  it.each<[readonly SliceEnd[], string, number]>([
    [['complete', 'unavailable'], 'complete', 0],
    [[], 'complete', 0],
    [['complete', 'deferred'], 'deferred', 3],
    [['complete', 'failed', 'deferred'], 'failed', 1],
    [['complete', 'stopped', 'deferred'], 'stopped', 1],
    [['complete', 'not_started'], 'stopped', 1],
    [['failed', 'stopped'], 'failed', 1],
  ])('of slices that ended %j is %s, exit code %i', (ends, status, exit_code) => {
    expect(runVerdict([summary(ends)])).toEqual({ status, exit_code });
  });

  it('is failed when an account ended early, whatever its slices say', () => {
    const accounts = [summary(['complete']), summary(['complete'], 'the key is refused')];
    expect(runVerdict(accounts)).toEqual({ status: 'failed', exit_code: 1 });
  });
});

it('the summary of an account adds up what the slices did and names what failed', () => {
  const { slices, streams, records, vanished, failures, unavailable } = summaryOf([
    outcome('complete'),
    outcome('failed', { error: 'loop' }),
    outcome('unavailable', { clientId: '' }),
  ]);
  expect(slices).toMatchObject({ complete: 1, failed: 1, unavailable: 1, deferred: 0 });
  expect(streams).toEqual({ all: 1, complete: 0 });
  expect({ records, vanished }).toEqual({ records: 9, vanished: 6 });
  expect(failures).toEqual([{ stream: 'products', client_id: '7', error: 'loop', status: null }]);
  expect(unavailable).toEqual(['products']);
});

it('failures alike are one line, with their clients', () => {
  const failed = ['1', '2'].map((clientId) => outcome('failed', { clientId, error: 'answered 500' }));
  const account = summaryOf(failed);
  const run = { ...account, run_id: 1, run_date: '2026-01-01', status: 'failed' } as const;
  const times = { started_at: '2026-01-01T00:00:00Z', finished_at: '2026-01-01T00:01:00Z' };
  const batch = { batch_id: 1, job: 'sync', run_date: '2026-01-01', status: 'failed', exit_code: 1 } as const;
  const nothing = { accounts_not_started: [], drift: [], view_failures: [] };
  expect(summaryLines({ ...batch, ...times, ...nothing, accounts: [run] }, 'UTC')).toEqual([
    '✗ 2026-01-01 is not complete: 0 of 1 stream published, 1 failed',
    '  6 records: 2 new, 2 changed, 4 vanished; 1 request left for jobs',
    '✗ failed: products (clients 1, 2): answered 500',
    '  airank sync fetches only what is missing.',
  ]);
});

describe('the judgement of an error', () => {
  const { signal } = new AbortController();
  const until = new Date('2026-01-02T00:00:00Z');
  const unavailable = (status: number) => new errors.UnavailableError('no', { status, attempt: 1 });

  it.each([
    [
      new errors.BudgetExhaustedError('spent', until),
      { kind: 'deferred', end: 'deferred', until, requests: 0 },
    ],
    [unavailable(404), { kind: 'slice', end: 'unavailable', requests: 1 }],
    [unavailable(401), { kind: 'slice', end: 'failed' }],
    [
      new errors.RetryableError('', { status: 503, attempt: 5 }),
      { kind: 'slice', end: 'failed', requests: 5 },
    ],
    [new errors.WarehouseError('gone'), { kind: 'abort' }],
    [new TypeError('nobody foresaw it'), { kind: 'fault', end: 'failed', error: 'nobody foresaw it' }],
    [Object.assign(new Error('gone'), { code: '57P01' }), { kind: 'abort' }],
  ])('%s', (error, expected) => {
    expect(judge(error, signal, signal)).toMatchObject(expected);
  });

  it('is "stopped" for whatever a stopped run throws', () => {
    expect(judge(new TypeError('x'), AbortSignal.abort(), signal)).toMatchObject({ kind: 'stopped' });
  });
});
