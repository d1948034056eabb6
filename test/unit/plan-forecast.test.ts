import fc from 'fast-check';
import { expect, test } from 'vitest';
import { define } from '../../src/streams/define.ts';
import { type ForecastInput, forecast, shortestMs } from '../../src/sync/forecast.ts';
import { clientsStreamOf, type PlannedWalk, planSelection } from '../../src/sync/plan.ts';
import type { SliceState } from '../../src/warehouse/slice-states.ts';

const clientes = define({ route: 'clientes', list: 'detect', shape: 'state', description: '' });
const airank = define({
  route: 'airank',
  list: null,
  shape: 'state',
  description: '',
  perClient: true,
  priority: 'high',
});
const citas = define({ route: 'citas', list: 'detect', shape: 'archive', description: '' });
const traces = define({
  name: 'traces',
  route: 'runs',
  list: null,
  shape: 'archive',
  description: '',
  source: { kind: 'details', of: 'citas', parameter: 'id' },
});
const streams = [traces, citas, airank, clientes];
const all = { streams, clientsStream: clientes, clientIds: undefined };

const now = new Date('2026-07-15T10:00:00Z');
const renewsAt = new Date('2026-07-16T00:00:00Z');

function walk(stream: string, expectedRequests?: number, lastRunDate = '2026-07-14'): PlannedWalk {
  const known = expectedRequests !== undefined;
  return {
    stream,
    account: 'a',
    clientId: '',
    expectedRequests,
    lastRunDate: known ? lastRunDate : undefined,
  };
}

function state(stream: string, more: Partial<SliceState>): SliceState {
  const base = { stream, account: 'a', clientId: '', status: 'planned', claimed: false } as const;
  return { ...base, storedPages: 0, atEnd: false, ...more };
}

function given(walks: readonly PlannedWalk[], more: Partial<ForecastInput> = {}) {
  return forecast({
    account: 'a',
    walks,
    states: [],
    exactRequests: new Map(),
    singleRecordStreams: new Set(),
    again: false,
    perMinute: 60,
    leftToday: 1_000,
    renewsAt,
    now,
    ...more,
  });
}

test('plans the clients first and the details last', () => {
  const walks = planSelection(all, { account: 'a', clientIds: ['7', 'x'], history: [] });
  expect(walks.map((one) => `${one.stream}/${one.clientId}`)).toEqual([
    'clientes/',
    'airank/',
    'airank/7',
    'airank/x',
    'citas/',
    'traces/',
  ]);
});

test('leaves out the account itself on per-client streams when clients are named', () => {
  const selected = { ...all, clientIds: ['7'] };
  const walks = planSelection(selected, { account: 'a', clientIds: ['7'], history: [] });
  expect(walks.map((one) => `${one.stream}/${one.clientId}`)).toEqual([
    'clientes/',
    'airank/7',
    'citas/',
    'traces/',
  ]);
});

test('walks the list of clients only for those who need it', () => {
  expect(clientsStreamOf({ ...all, streams: [airank] })).toBe(clientes);
  expect(clientsStreamOf({ ...all, streams: [citas] })).toBeUndefined();
  expect(clientsStreamOf({ ...all, streams: [airank], clientIds: ['7'] })).toBeUndefined();
  expect(clientsStreamOf({ ...all, streams: [clientes], clientIds: ['7'] })).toBe(clientes);
});

test('expects the pages of the last walk, and one at least of a stream that was never walked', () => {
  const plan = given([walk('a', 12), walk('b')]);
  expect(plan).toMatchObject({ to_do: 2, requests: 13, first_walks: 1, fits: 2, deferred: 0 });
  expect(plan.streams).toMatchObject([
    { stream: 'a', requests: 12, first_walks: 0, last_run_date: '2026-07-14' },
    { stream: 'b', requests: 1, first_walks: 1, last_run_date: null },
  ]);
});

test('has nothing to do for slices that are complete or unavailable on the run date', () => {
  const states = [state('a', { status: 'complete' }), state('b', { status: 'unavailable' })];
  const plan = given([walk('a', 12), walk('b')], { states });
  expect(plan).toMatchObject({ slices: 2, to_do: 0, requests: 0, deferred_until: null });
  expect(given([walk('a', 12), walk('b')], { states, again: true })).toMatchObject({
    to_do: 2,
    requests: 13,
  });
});

test('expects of an unfinished walk only the pages that are not stored', () => {
  const rest = (more: Partial<SliceState>) => given([walk('a', 12)], { states: [state('a', more)] }).requests;
  expect(rest({ storedPages: 5 })).toBe(7);
  // It is not at its end, so there is one more, whatever the last walk had.
  expect(rest({ storedPages: 20 })).toBe(1);
  expect(rest({ storedPages: 12, atEnd: true })).toBe(0);
});

test('does not take a stored detail for the end of the walk', () => {
  const states = [state('a', { storedPages: 5, atEnd: true })];
  const plan = given([walk('a', 12)], { states, singleRecordStreams: new Set(['a']) });
  expect(plan.requests).toBe(7);
});

test('knows the requests of configured questions before any walk', () => {
  const plan = given([walk('ask')], { exactRequests: new Map([['ask', 3]]) });
  expect(plan).toMatchObject({ requests: 3, first_walks: 0 });
});

test('defers the slice that does not fit and all after it', () => {
  const plan = given([walk('a', 5), walk('b', 6), walk('c', 1)], { leftToday: 10 });
  expect(plan).toMatchObject({
    fits: 1,
    deferred: 2,
    deferred_streams: ['b', 'c'],
    deferred_until: '2026-07-16T00:00:00.000Z',
    requests_today: 10,
  });
});

test('counts every slice as fitting or deferred, and never more requests today than are left', () => {
  const walks = fc.array(fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }), { maxLength: 30 });
  fc.assert(
    fc.property(walks, fc.integer({ min: 0, max: 500 }), (expected, leftToday) => {
      const plan = given(
        expected.map((requests, index) => walk(`s${index}`, requests)),
        { leftToday },
      );
      expect(plan.fits + plan.deferred).toBe(plan.to_do);
      expect(plan.requests_today).toBeLessThanOrEqual(leftToday);
      expect(plan.deferred === 0).toBe(plan.requests <= leftToday);
    }),
  );
});

test('takes no time for the first minute of requests, and a minute for each further one', () => {
  expect([0, 1, 60, 61, 120, 121].map((requests) => shortestMs(requests, 60) / 60_000)).toEqual([
    0, 0, 0, 1, 1, 2,
  ]);
});
