import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SliceState, WalkHistory } from '../../src/store/slices/walk-history.ts';
import { define } from '../../src/streams/define.ts';
import type { Stream } from '../../src/streams/stream.ts';
import { forecast } from '../../src/sync/plan/forecast.ts';
import { type PlanInput, planAccount } from '../../src/sync/plan/plan.ts';
import { clientsStreamOf, selectScopes } from '../../src/sync/plan/selected-scopes.ts';
import { historyOf, planInput, stateOf } from '../support/plan-facts.ts';

const clientes = define({ route: 'clientes', list: 'detect', shape: 'state', description: '' });
const one = { list: null, shape: 'state', description: '' } as const;
const airank = define({ ...one, route: 'airank', perClient: true, priority: 'high' });
const citas = define({ route: 'citas', list: 'detect', shape: 'archive', description: '' });
const details = { kind: 'details', of: 'citas', parameter: 'id' } as const;
const traces = define({ ...one, name: 'traces', route: 'runs', shape: 'archive', source: details });
const streams = [clientes, airank, citas, traces];
const all = { streams, clientsStream: clientes, clientIds: undefined };

const now = new Date('2026-07-15T10:00:00Z');
const renewsAt = new Date('2026-07-16T00:00:00Z');

const plain = (name: string): Stream =>
  define({ name, route: name, list: 'x', shape: 'state', description: '' });

interface Given extends Partial<PlanInput> {
  /** Pages of each stream's last walk, in order; undefined: never synced. */
  readonly pages: Readonly<Record<string, number | undefined>>;
  readonly left?: number;
}

function given({ pages, left = 1_000, ...more }: Given) {
  const names = Object.keys(pages);
  const plan = planAccount(
    planInput({
      streams: names.map(plain),
      history: names.flatMap((name) => (pages[name] === undefined ? [] : [historyOf(name, pages[name])])),
      budget: { runDate: '2026-07-15', wholeDay: 5_000, left },
      ...more,
    }),
  );
  const budget = { perMinute: 60, remainingToday: left, wholeDay: 5_000, renewsAt };
  return forecast({ account: 'a', plan, ...budget, now });
}

const labels = (clientIds: readonly string[], selected = all) =>
  selectScopes(selected, 'a', clientIds).map(
    ({ scope, phase }) => `${phase}: ${scope.stream}/${scope.clientId}`,
  );

test('puts the clients into the first phase and the details into the last', () => {
  const records = ['', '7', 'x'].map((client) => `records: airank/${client}`);
  const expected = ['clients: clientes/', ...records, 'records: citas/', 'details: traces/'];
  expect(labels(['7', 'x'])).toEqual(expected);
});

test('leaves out the account itself on per-client streams when clients are named', () => {
  const named = selectScopes({ ...all, clientIds: ['7'] }, 'a', ['7']);
  const scopes = named.map(({ scope }) => `${scope.stream}/${scope.clientId}`);
  expect(scopes).toEqual(['clientes/', 'airank/7', 'citas/', 'traces/']);
});

test('walks the list of clients only for those who need it', () => {
  expect(clientsStreamOf({ ...all, streams: [airank] })).toBe(clientes);
  expect(clientsStreamOf({ ...all, streams: [citas] })).toBeUndefined();
  expect(clientsStreamOf({ ...all, streams: [airank], clientIds: ['7'] })).toBeUndefined();
  expect(clientsStreamOf({ ...all, streams: [clientes], clientIds: ['7'] })).toBe(clientes);
});

test('expects the pages of the last walk, and one at least of a stream that was never synced', () => {
  const plan = given({ pages: { a: 12, b: undefined } });
  expect(plan).toMatchObject({ to_do: 2, requests: 13, first_walks: 1, fits: 2, deferred: 0 });
  const byName = new Map(plan.streams.map((stream) => [stream.stream, stream]));
  expect(byName.get('a')).toMatchObject({ requests: 12, first_walks: 0, last_run_date: '2026-07-14' });
  expect(byName.get('b')).toMatchObject({ requests: 1, first_walks: 1, last_run_date: null });
});

test('has nothing to do for slices that are complete or unavailable on the run date', () => {
  const pages = { a: 12, b: undefined };
  const states = [stateOf('a', { status: 'complete' }), stateOf('b', { status: 'unavailable' })];
  expect(given({ pages, states })).toMatchObject({ slices: 2, to_do: 0, requests: 0, deferred_until: null });
  expect(given({ pages, states, again: true })).toMatchObject({ to_do: 2, requests: 13 });
});

test('expects of an unfinished walk only the pages that are not stored', () => {
  const rest = (more: Partial<SliceState>) =>
    given({ pages: { a: 12 }, states: [stateOf('a', more)] }).requests;
  expect(rest({ storedPages: 5 })).toBe(7);
  // It is not at its end, so there is one more, whatever the last walk had.
  expect(rest({ storedPages: 20 })).toBe(1);
  expect(rest({ storedPages: 12, atEnd: true })).toBe(0);
});

test('does not take a stored detail for the end of the walk', () => {
  const selected = { streams: [traces], clientsStream: undefined, clientIds: undefined };
  const states = [stateOf('traces', { storedPages: 5, atEnd: true })];
  const plan = given({ pages: {}, selected, history: [historyOf('traces', 12)], states });
  expect(plan.requests).toBe(7);
});

test('knows the requests of configured questions before any walk', () => {
  const plan = given({ pages: { ask: undefined }, exactRequests: new Map([['ask', 3]]) });
  expect(plan).toMatchObject({ requests: 3, first_walks: 0 });
});

test('defers what does not fit and says until when', () => {
  const plan = given({ pages: { a: 5, b: 6 }, left: 10 });
  expect(plan).toMatchObject({ fits: 1, deferred: 1, deferred_until: '2026-07-16T00:00:00.000Z' });
});

test('counts every slice as fitting or deferred, and defers none while all fit', () => {
  const sizes = fc.array(fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }), { maxLength: 30 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 0, max: 500 }), (expected, left) => {
      const pages = Object.fromEntries(expected.map((size, index) => [`s${index}`, size]));
      const plan = given({ pages, left });
      expect(plan.fits + plan.deferred + plan.never_fit.length).toBe(plan.to_do);
      if (plan.requests <= left) expect(plan.deferred).toBe(0);
      else expect(plan.deferred).toBeGreaterThan(0);
    }),
  );
});

test('says when everything is done, with the waits for the limit and for the day', () => {
  const at = (left: number) => given({ pages: { a: 4_000, b: 3_000, c: 900 }, left }).all_done_at;
  // 7,900 requests: 132 minutes where all may be made today.
  expect(at(8_000)).toBe(new Date(now.getTime() + 7_900 * 1_000).toISOString());
  // 4,900 today; 3,000 when the day has renewed, in 50 minutes.
  expect(at(4_900)).toBe(new Date(renewsAt.getTime() + 3_000 * 1_000).toISOString());
  // Nothing today, 5,000 on the first day and 2,900 on the second.
  expect(at(0)).toBe(new Date(renewsAt.getTime() + 86_400_000 + 2_900 * 1_000).toISOString());
});

describe('details, one request for each new or changed record', () => {
  const changes = (...fresh: readonly [string, number][]) =>
    fresh.map(([runDate, count]) => ({ runDate, fresh: count }));
  const requests = (records: WalkHistory, details?: Partial<WalkHistory>) => {
    const own = details === undefined ? [] : [{ ...historyOf('traces', 400), ...details }];
    const plan = planAccount(planInput({ streams: [traces], history: [records, ...own] }));
    return plan.walks.find((walk) => walk.stream.name === 'traces');
  };
  const citasOf = (lastRunDate: string, records: number, ...fresh: readonly [string, number][]) => ({
    ...historyOf('citas', 2),
    lastRunDate,
    records,
    changes: changes(...fresh),
  });

  test('take at first one for each known record, and not "at least"', () => {
    const citas = citasOf('2026-07-15', 300, ['2026-07-15', 300]);
    expect(requests(citas)).toMatchObject({ requests: 300, firstWalk: false });
  });

  test('take later what the last walks of the records brought, not what the first details took', () => {
    const citas = citasOf('2026-07-14', 330, ['2026-07-14', 12], ['2026-07-12', 24], ['2026-07-11', 300]);
    // 36 in three days, and the records of today's walk are still to come.
    expect(requests(citas, { lastRunDate: '2026-07-14' })).toMatchObject({ requests: 12 });
    expect(requests(citas, { lastRunDate: '2026-07-12' })).toMatchObject({ requests: 24 });
  });

  test('take exactly what is published and not asked for yet, once the records of the date are', () => {
    const citas = citasOf('2026-07-15', 330, ['2026-07-15', 7], ['2026-07-14', 300]);
    expect(requests(citas, { lastRunDate: '2026-07-14' })).toMatchObject({ requests: 7 });
    const none = citasOf('2026-07-15', 330, ['2026-07-15', 0], ['2026-07-14', 300]);
    expect(requests(none, { lastRunDate: '2026-07-14' })).toMatchObject({ requests: 0, done: false });
  });

  test('take a thirtieth of a first walk that is all that is known', () => {
    const citas = citasOf('2026-07-14', 300, ['2026-07-14', 300]);
    expect(requests(citas, { lastRunDate: '2026-07-14' })).toMatchObject({ requests: 10 });
  });
});

const listed = (name: string, stream: Partial<Stream> = {}) => ({ ...plain(name), ...stream });
const runs = listed('agent_runs', { perClient: true });
const source = { kind: 'details', of: 'agent_runs', parameter: 'id' } as const;
const runTraces = listed('agent_run_traces', { source, perClient: true });
const first = (history_: readonly WalkHistory[], clientIds: readonly string[] = []) => {
  const selected = { streams: [clientes, runs, runTraces], clientsStream: clientes, clientIds: undefined };
  return given({ pages: {}, selected, clientIds, history: history_ }).parts;
};
const known = (stream: string, records: number, clientId = '') => ({
  ...historyOf(stream, 1),
  clientId,
  records,
  lastRunDate: '2026-07-15',
});

test('a first load has three parts, each of which says how large the next is', () => {
  const part = (phase: string, slices: number, requests: number, at_least: boolean) => {
    return { phase, slices, requests, at_least };
  };
  expect(first([])).toEqual(['clients', 'records', 'details'].map((phase) => part(phase, 1, 1, true)));
  const clients = known('clientes', 2);
  const parts = [part('records', 3, 3, true), part('details', 3, 3, true)];
  expect(first([clients], ['1', '2']).slice(1)).toEqual(parts);
  // Lists that were walked say nothing of lists of clients that nobody has read.
  expect(first([known('agent_runs', 40)])[1]).toEqual(part('records', 1, 1, true));
  const lists = ['', '1', '2'].map((clientId) => known('agent_runs', 40, clientId));
  expect(first([clients, ...lists], ['1', '2']).at(-1)).toEqual(part('details', 3, 120, false));
});
