import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { statusLines } from '../../src/cli/commands/status-command.ts';
import { parseRunDate } from '../../src/core/run-date.ts';
import { accountStatus, problemsOf, problemText, type StatusFacts } from '../../src/status/account-status.ts';
import type { AccountScopes, ScopeState } from '../../src/status/read-scopes.ts';
import type { IncompleteSlice, StreamStatus } from '../../src/status/status-report.ts';

const today = parseRunDate('2026-07-15') ?? expect.fail();
const enabled = new Set(['airank', 'citas']);

function stream(name: string, more: Partial<StreamStatus> = {}): StreamStatus {
  const counts = { slices: 1, complete: 1, records: 10, inserted: 1, changed: 2, vanished: 0, versions: 30 };
  return { account: 'a', stream: name, run_date: '2026-07-15', ...counts, ended: false, ...more };
}

function slice(name: string, more: Partial<IncompleteSlice>): IncompleteSlice {
  const base = { account: 'a', stream: name, client_id: '', status: 'failed', walk: 'full' } as const;
  return { ...base, error: null, published: null, stored_pages: 0, walking: false, ...more };
}

/** Streams by their state, each with so many slices of so many. */
function scopes(...lacking: readonly [stream: string, state: ScopeState, slices?: number, of?: number][]) {
  const found: AccountScopes = {
    states: {},
    open: lacking.flatMap(([name, state, slices = 1]) =>
      Array.from({ length: slices }, (_, index) => ({ stream: name, state, client_id: String(index) })),
    ),
    of: new Map(lacking.map(([name, , slices = 1, of = slices]) => [name, of])),
  };
  return new Map([['a', found]]);
}

function look(facts: Partial<StatusFacts>) {
  const days = [{ account: 'a', run_date: '2026-07-15', slices: { complete: 2 } }];
  return accountStatus('a', { streams: [], days, incomplete: [], ...facts }, null, today, enabled);
}

const texts = (facts: Partial<StatusFacts>) => problemsOf(look(facts), 'UTC').map(problemText);

const schedule = { working: true, used: true, waiting: [], incidents: [], has_channels: true, problems: [] };

function report(facts: Partial<StatusFacts>) {
  const account = look(facts);
  const problems = problemsOf(account, 'UTC');
  const nothing = {
    ...{ batches: [], record_keys: [], drift: [], stale_views: [], open_alerts: 0, views: null },
    ...{ writes: { open: [], uses: [] }, last_backup: null, queue: { batches: [], workers: [] } },
  };
  return { fine: problems.length === 0, problems, today, accounts: [account], schedule, ...nothing };
}

const colors = picocolors.createColors(false);
const screen = { all: false, width: 80, colors, timeZone: 'UTC', now: new Date('2026-07-15T10:00:00Z') };

test('dates that streams lack for ever are one row, with the newest of them, and no problem', () => {
  const text = (dates: readonly string[], streams: readonly string[]) => {
    const found = report({ lost: [{ account: 'a', dates, streams }] });
    expect(found.fine).toBe(true);
    return statusLines(found, screen).find((line) => line.startsWith('  Lost'));
  };
  expect(text(['2026-07-01', '2026-07-03', '2026-07-09'], ['airank', 'demand', 'sources'])).toBe(
    '  Lost        2026-07-09 and 2 more of airank, demand and 1 more: the API only shows the current day',
  );
});

test.each([
  [scopes(['citas', 'failed', 2, 2]), 'citas: failed: unknown. Run: airank sync'],
  [
    scopes(['citas', 'unfinished'], ['demand', 'unfinished', 3]),
    'citas, demand: 2026-07-15 is not finished, and no process works on it. Run: airank sync',
  ],
  [
    scopes(['a', 'never_synced'], ['b', 'never_synced']),
    'a, b: never fetched; to switch one off, set streams.NAME.enabled: false. Run: airank sync',
  ],
  [
    scopes(['citas', 'stale'], ['demand', 'stale', 3, 12]),
    'citas, demand (3 of 12): nothing newer than 2026-07-15 is published. Run: airank plan',
  ],
  // Regression: status said that everything was fine where 18 of 61 slices waited and 17 streams had never been
  // fetched.
  [
    scopes(['citas', 'deferred', 3, 4], ['demand', 'deferred']),
    'citas (3 of 4), demand: waits for requests. Run: airank sync',
  ],
])('what is lacking is told with what to do: %#', (given, text) => {
  expect(texts({ streams: [stream('airank')], scopes: given })).toEqual([`Account a: ${text}`]);
});

test('a run date to come is a problem, and not today', () => {
  const facts = {
    days: [{ account: 'a', run_date: '2026-07-20', slices: { complete: 1 } }],
    streams: [stream('airank', { run_date: '2026-07-20' })],
    scopes: scopes(['airank', 'future']),
  };
  expect(texts(facts)).toEqual([
    expect.stringMatching(/^Account a: airank: run date 2026-07-20 is in the future/),
  ]);
});

test('a run whose process is gone is a problem, a living one is shown with how far it is', () => {
  const run = {
    ...{ account: 'a', run_id: 12, job: 'daily', run_date: '2026-07-15' },
    started_at: new Date('2026-07-15T03:15:00Z'),
    ...{ streams: [], client_ids: null, slices: 55, ended: 17, requests: 318 },
  };
  const living = { ...run, is_alive: true };
  const dead = { ...run, is_alive: false };
  expect(texts({ runs: [living] })).toEqual([]);
  expect(statusLines(report({ runs: [living] }), screen)).toContain(
    '  Works       a run of daily, since 15 Jul 03:15 (UTC), 318 requests so far',
  );
  expect(texts({ runs: [dead] })).toEqual([
    'Account a: a run of daily, started 15 Jul 03:15 (UTC), died before it finished. Run: airank sync',
  ]);
});

test('a bad night on 80 columns: what is missing and why, what is fine as figures, the next step', () => {
  const error = 'GET citas answered 500, got something that is longer than the rest of the line';
  const incomplete = [
    slice('citas', { error, published: '2026-07-14' }),
    slice('shopping', { status: 'unavailable', client_id: '7' }),
    slice('demand', { status: 'unavailable', published: '2026-07-12', error: 'GET demand answered 404' }),
    slice('products', { status: 'deferred', client_id: '1' }),
    slice('crawl', { status: 'deferred' }),
  ];
  const streams = [stream('airank'), stream('citas'), stream('products', { complete: 0 })];
  const found = report({
    streams,
    incomplete,
    scopes: scopes(['products', 'deferred', 1, 3], ['crawl', 'deferred'], ['citas', 'failed']),
  });
  const lines = statusLines({ ...found, open_alerts: 4, schedule: { ...schedule, working: false } }, screen);
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "✗ 3 of 4 streams are not complete; today is 2026-07-15

    ✗ citas              failed: answered 500, got something that is longer than the
                         rest of the line. citation_events shows 2026-07-14
    ! products (1 of 3)  waits for requests
    ! crawl              waits for requests; never fetched yet

      Requests    unknown: this account is not in the configuration
      No data     shopping (client 7)
      No data     demand until 2026-07-12: answered 404
      Scheduler   none works

    ! 4 alerts are open: airank alerts --open
    ! No backup yet: airank backup FILE, or a job of kind backup

        airank sync    fetches only what is missing"
  `);
});

test('every failed slice has its line with --all, and those alike are one without', () => {
  const failed = ['a', 'b', 'c', 'd', 'e'].map((name) => slice(name, { error: `GET ${name} answered 401` }));
  const names = failed.map(({ stream }): [string, ScopeState] => [stream, 'failed']);
  const found = report({ incomplete: failed, scopes: scopes(...names) });
  const lines = (all: boolean) =>
    statusLines(found, { ...screen, all }).filter((line) => line.includes('answered 401'));
  expect(lines(false)).toEqual(['✗ a, b, c, d and 1 more  failed: answered 401']);
  expect(lines(true)).toHaveLength(6);
});

test('twenty accounts fit one screen: those with a problem first, the others as a number', () => {
  const accounts = Array.from({ length: 20 }, (_, index) => {
    const name = `account-${index}`;
    const run_date = index === 7 ? '2026-07-01' : '2026-07-15';
    const late = [{ stream: 'citas', client_id: '', state: 'stale' as const }];
    const facts = {
      streams: [stream('airank', { account: name }), stream('citas', { account: name, run_date })],
      days: [{ account: name, run_date: '2026-07-15', slices: { complete: 2 } }],
      incomplete: [],
      scopes: new Map([[name, { states: {}, open: index === 7 ? late : [], of: new Map() }]]),
    };
    return accountStatus(name, facts, null, today, enabled);
  });
  const problems = accounts.flatMap((account) => problemsOf(account, 'UTC'));
  const lines = statusLines({ ...report({}), accounts, problems, fine: false }, screen);
  expect(lines.length).toBeLessThan(24);
  expect(lines).toContain('✗ account-7 / citas  nothing newer than 2026-07-01 is published');
  expect(lines).toContain('  … and 14 accounts, all fine (--all)');
});

test('the scheduler works or not, with what is due, and nobody is told without a webhook', () => {
  const since = '2026-07-15T01:00:00Z';
  const incident = {
    cause: 'key:old',
    kind: 'key_refused',
    message: 'x',
    since,
    over_at: null,
    told_at: null,
  };
  const of = (more: object, all = false) =>
    statusLines({ ...report({}), schedule: { ...schedule, ...more } }, { ...screen, all });
  expect(of({ working: false, used: false }).join()).not.toContain('Scheduler');
  const waiting = [{ job: 'daily', since: '2026-07-15T01:15:00Z' }];
  expect(of({ waiting })).toContain('  Scheduler   works; due: daily');
  const untold = of({ has_channels: false, incidents: [incident] }, true);
  expect(untold).toContain(
    '! Nobody is told of failures: set AIRANK_WEBHOOK_URL, or alerts.to in the configuration',
  );
  expect(untold).toContain('  key:old   15 Jul 01:00        not yet');
});

test('fine says which streams are of today, and how old the others are', () => {
  const of = (run_date: string) =>
    statusLines(report({ streams: [stream('airank'), stream('citas', { run_date })] }), screen)[0];
  expect(of('2026-07-15')).toBe('✓ Fine: all 2 streams are of today, 2026-07-15');
  expect(of('2026-07-14')).toBe(
    '✓ Fine: nothing is late; 1 of 2 streams is of today, 2026-07-15, the oldest of 2026-07-14',
  );
});
