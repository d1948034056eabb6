// What one account's plan decides and says: full or incremental, what goes first, which requests nobody can know yet.
import { describe, expect, it } from 'vitest';
import type { AccountConfig, Config } from '../../src/config/config.ts';
import { Secret } from '../../src/config/config.ts';
import { define } from '../../src/streams/define.ts';
import { accountPlan } from '../../src/sync/plan/forecast.ts';
import { type PlanInput, planAccount } from '../../src/sync/plan/plan.ts';
import type { PlanFacts, PlanQuestion } from '../../src/sync/plan/plan-facts.ts';
import { archiveOf, historyOf, planInput, stateOf } from '../support/plan-facts.ts';

const runDate = '2026-07-15';
const state = { list: 'detect', shape: 'state', description: '' } as const;
const clientes = define({ ...state, route: 'clientes' });
const airank = define({ ...state, route: 'airank', perClient: true, priority: 'high' });
const citas = define({ ...state, route: 'citas', shape: 'archive', perClient: true });
const blog = define({ ...state, route: 'blog', shape: 'archive' });
const details = { kind: 'details', of: 'citas', parameter: 'id' } as const;
const traces = define({ ...state, name: 'traces', route: 'citas', list: null, source: details });

const seldom = { fullRefreshDays: 10_000, fullRefreshPercent: 40 };
const history = [
  archiveOf('citas', 30, '2026-07-14'),
  archiveOf('blog', 10, '2026-07-14'),
  historyOf('clientes', 10),
];
const budget = { runDate, wholeDay: 100, left: 50 };

function planOf(more: Partial<PlanInput> = {}) {
  const plan = planAccount(
    planInput({ streams: [clientes, citas, blog], history, limits: seldom, budget, ...more }),
  );
  return {
    ...plan,
    walks: plan.walks.map(({ stream, walk, requests }) => `${stream.name} ${walk} ${requests}`),
  };
}

describe('archives', () => {
  const all = ['clientes full 10', 'citas full 30', 'blog full 10'];
  const cheap = ['clientes full 10', 'citas incremental 2', 'blog incremental 2'];

  it('are refreshed in full while all of it fits into the day, and they into their share of it', () => {
    expect(planOf()).toMatchObject({
      walks: all,
      fullFits: true,
      allFull: 50,
      archivesFull: 40,
      archivesMay: 40,
    });
    const less = planOf({ budget: { ...budget, left: 49 } });
    expect(less).toMatchObject({ walks: cheap, fullFits: false, allFull: 50 });
    const share = planOf({ limits: { ...seldom, fullRefreshPercent: 39 } });
    expect(share).toMatchObject({ walks: cheap, fullFits: false, archivesMay: 39 });
  });

  it('that are done leave their share to the others', () => {
    const states = [stateOf('blog', { status: 'complete' })];
    const plan = planOf({ states, budget: { ...budget, left: 40 } });
    expect(plan).toMatchObject({ fullFits: true, allFull: 40, archivesFull: 30 });
    expect(plan.walks).toContain('citas full 30');
  });

  it('take less of the days to come when they are refreshed incrementally', () => {
    const day = { budget: { ...budget, wholeDay: 30 } };
    expect(planOf(day)).toMatchObject({ walks: cheap, withinDays: 2 });
    expect(planOf({ ...day, mode: 'full' }).withinDays).toBe(3);
  });

  it('get their full refresh when it is due, the longest since first', () => {
    const due = { limits: { fullRefreshDays: 1, fullRefreshPercent: 0 }, streams: [citas, blog] };
    const older = [archiveOf('citas', 30, '2026-07-14'), archiveOf('blog', 10, '2026-07-13')];
    expect(
      planOf({ ...due, selected: { ...due, clientsStream: undefined, clientIds: undefined }, history: older })
        .walks,
    ).toEqual(['blog full 10', 'citas full 30']);
  });
});

it('walks streams of high priority first, and single records by their details', () => {
  const streams = [traces, blog, airank];
  const selected = { streams, clientsStream: undefined, clientIds: undefined };
  const known = [historyOf('traces', 1), historyOf('airank', 1), { ...historyOf('citas', 1), records: 7 }];
  expect(planOf({ selected, history: known }).walks).toEqual([
    'airank full 1',
    'blog full 1',
    'traces details 1',
  ]);
});

describe('the plan of an account', () => {
  const renewsAt = new Date('2026-07-16T00:00:00Z');
  const closedUntil = new Date('2026-07-15T12:00:00Z');
  const now = new Date('2026-07-15T10:00:00Z');
  const account: AccountConfig = {
    ...{ name: 'a', baseUrl: new URL('http://127.0.0.1:1'), apiKey: new Secret('k') },
    ...{ perMinute: 60, perDay: 100, reservePercent: 5 },
  };
  const config = { questions: [], publicIds: [], ...seldom } as unknown as Config;
  const streams = [clientes, airank, citas, traces];
  const asked: PlanQuestion = {
    ...{ streams, clientsStream: clientes, clientIds: undefined },
    ...{ runDate: runDate as PlanQuestion['runDate'], again: false, walk: 'auto' },
  };
  const used = {
    usedToday: 90,
    remainingToday: 5,
    renewsAt,
    renewalLearnedAt: undefined,
    closedUntil: undefined,
  };
  const nothing: PlanFacts = {
    budget: used,
    history: [],
    states: [],
    clientIds: undefined,
    newest: undefined,
  };
  const summaryOf = (facts: Partial<PlanFacts> = {}, question: Partial<PlanQuestion> = {}) =>
    accountPlan({ ...nothing, ...facts }, config, account, { ...asked, ...question }, now).summary;

  it('says before the first sync what it cannot count: a list for each client, a request for each record', () => {
    expect(summaryOf()).toMatchObject({
      ...{ account: 'a', slices: 4, requests: 4, clients: null, refused_by: null },
      not_known: { requests: 3, a_client: ['airank', 'citas'], a_record: ['traces'] },
      budget: {
        ...{ per_minute: 60, per_day: 100, reserved_for_people: 5, used_today: 90, remaining_today: 5 },
        ...{ renews_at: renewsAt.toISOString(), closed_until: null },
      },
    });
    expect(summaryOf({}, { streams: [traces], clientsStream: undefined }).not_known).toBeNull();
  });

  it('knows the clients by their published list, and how old that is', () => {
    const lists = [
      historyOf('airank', 1),
      { ...historyOf('clientes', 1), clientId: '7', lastRunDate: '2026-07-01' },
    ];
    const facts = { clientIds: ['7', '8'], history: [...lists, historyOf('clientes', 1)] };
    expect(summaryOf(facts)).toMatchObject({
      ...{ clients: { count: 2, run_date: '2026-07-14' }, not_known: null },
      // The clients' list, two lists of each client and of the account itself, and the account's details.
      slices: 1 + 2 * 3 + 1,
    });
    expect(summaryOf({ clientIds: ['7'] }).clients).toEqual({ count: 1, run_date: null });
  });

  it('counts of the clients that were named those that this account has', () => {
    const named = { clientIds: ['7', '8', '9'] };
    expect(summaryOf({}, named)).toMatchObject({ clients: { count: 3, run_date: null }, not_known: null });
    const clientFits = (id: string, name: string) => name === 'a' && id !== '8';
    expect(summaryOf({}, { ...named, clientFits }).clients).toEqual({ count: 2, run_date: null });
  });

  it('goes on when the day renews, or when a closed one opens', () => {
    const pages = [historyOf('airank', 6), historyOf('citas', 90)];
    expect(summaryOf({ history: pages }).deferred_until).toBe(renewsAt.toISOString());
    const closed = summaryOf({ history: pages, budget: { ...used, closedUntil } });
    const opens = closedUntil.toISOString();
    expect(closed).toMatchObject({ deferred_until: opens, budget: { closed_until: opens } });
    // 95 of a day of 100 are for jobs: what takes 96 never fits.
    expect(summaryOf({ history: [historyOf('blog', 96)] }, { streams: [blog] }).never_fit).toHaveLength(1);
  });

  it('says which newer date refuses an older one', () => {
    expect(summaryOf({ newest: '2026-07-16' }).refused_by).toBe('2026-07-16');
    expect(summaryOf({ newest: runDate }).refused_by).toBeNull();
  });
});
