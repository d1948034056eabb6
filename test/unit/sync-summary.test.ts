import { describe, expect, it } from 'vitest';
import { summaryLines } from '../../src/cli/commands/sync-command.ts';
import * as errors from '../../src/core/errors.ts';
import { judge } from '../../src/sync/run/error-policy.ts';
import { runVerdict, summarizeAccount } from '../../src/sync/run/summary.ts';
import type { SliceEnd, SliceOutcome } from '../../src/sync/run/sync-options.ts';
import { sliceOutcome } from '../support/slice-outcome.ts';

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
