import { describe, expect, it } from 'vitest';
import {
  BudgetExhaustedError,
  RetryableError,
  UnavailableError,
  WarehouseError,
} from '../../src/core/errors.ts';
import { judge } from '../../src/sync/run/error-policy.ts';
import { runVerdict, summarizeAccount } from '../../src/sync/run/summary.ts';
import type { SliceEnd, SliceOutcome } from '../../src/sync/run/sync-options.ts';

const outcome = (end: SliceEnd, more: Partial<SliceOutcome> = {}): SliceOutcome => ({
  stream: 'products',
  account: 'agency',
  clientId: '7',
  end,
  already: false,
  error: undefined,
  records: 3,
  inserted: 1,
  changed: 1,
  vanished: 2,
  unchanged: 1,
  keyConflicts: 0,
  pagesSaved: 0,
  late: 0,
  tooLarge: false,
  ...more,
});

const summary = (ends: readonly SliceEnd[], ended?: string) =>
  summarizeAccount(
    {
      account: 'agency',
      warnings: [],
      outcomes: ends.map((end) => outcome(end)),
      ended,
      deferredUntil: undefined,
    },
    { requests: 5, usedToday: 9, remainingToday: 1 },
  );

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
    expect(runVerdict([summary(['complete']), summary(['complete'], 'the key is refused')])).toEqual({
      status: 'failed',
      exit_code: 1,
    });
  });
});

describe('the summary of an account', () => {
  it('adds up what the slices did and names what failed', () => {
    const { slices, records, vanished, failures, unavailable } = summarizeAccount(
      {
        account: 'agency',
        warnings: [],
        outcomes: [
          outcome('complete'),
          outcome('failed', { error: 'loop' }),
          outcome('unavailable', { clientId: '' }),
        ],
        ended: undefined,
        deferredUntil: undefined,
      },
      { requests: 5, usedToday: 9, remainingToday: 1 },
    );
    expect(slices).toMatchObject({ complete: 1, failed: 1, unavailable: 1, deferred: 0 });
    expect({ records, vanished }).toEqual({ records: 9, vanished: 6 });
    expect(failures).toEqual([{ stream: 'products', client_id: '7', error: 'loop', status: null }]);
    expect(unavailable).toEqual(['products']);
  });
});

describe('the judgement of an error', () => {
  const { signal } = new AbortController();
  const until = new Date('2026-01-02T00:00:00Z');

  it.each([
    [new BudgetExhaustedError('spent', until), { kind: 'deferred', end: 'deferred', until, requests: 0 }],
    [
      new UnavailableError('no', { status: 404, attempt: 1 }),
      { kind: 'slice', end: 'unavailable', requests: 1 },
    ],
    [new UnavailableError('no', { status: 401, attempt: 1 }), { kind: 'slice', end: 'failed' }],
    [new RetryableError('5xx', { status: 503, attempt: 5 }), { kind: 'slice', end: 'failed', requests: 5 }],
    [new WarehouseError('gone'), { kind: 'abort' }],
    [new TypeError('nobody foresaw it'), { kind: 'fault', end: 'failed', error: 'nobody foresaw it' }],
    [Object.assign(new Error('gone'), { code: '57P01' }), { kind: 'abort' }],
  ])('%s', (error, expected) => {
    expect(judge(error, signal)).toMatchObject(expected);
  });

  it('is "stopped" for whatever a stopped run throws', () => {
    expect(judge(new TypeError('x'), AbortSignal.abort())).toMatchObject({ kind: 'stopped' });
  });
});
