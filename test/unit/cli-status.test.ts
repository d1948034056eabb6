import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { scheduleLines } from '../../src/cli/commands/status-command.ts';
import { describeKey, statusLines } from '../../src/cli/commands/status-text.ts';
import { parseRunDate } from '../../src/core/run-date.ts';
import { accountStatus, problemsOf, type StatusFacts } from '../../src/status/account-status.ts';
import type { AccountScopes, ScopeState } from '../../src/status/read-scopes.ts';
import type { StatusReport } from '../../src/status/read-status.ts';
import type { IncompleteSlice, StreamStatus } from '../../src/status/status-report.ts';

const today = parseRunDate('2026-07-15') ?? expect.fail();
const enabled = new Set(['airank', 'citas']);

function stream(name: string, more: Partial<StreamStatus> = {}): StreamStatus {
  const counts = {
    slices: 1,
    complete: 1,
    records: 10,
    inserted: 1,
    changed: 2,
    vanished: 0,
    versions: 30,
    ended: false,
  };
  return { account: 'a', stream: name, run_date: '2026-07-15', ...counts, ...more };
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

function report(facts: Partial<StatusFacts>): StatusReport {
  const account = look(facts);
  const problems = problemsOf(account);
  const fine = problems.length === 0;
  const nothing = {
    batches: [],
    record_keys: [],
    drift: [],
    stale_views: [],
    open_alerts: 0,
    writes: { open: [], uses: [] },
    last_backup: null,
    queue: { batches: [], workers: [] },
    views: null,
  };
  return { fine, problems, today, accounts: [account], ...nothing };
}

const print = { all: false, width: 80, colors: picocolors.createColors(false) };

test('dates that streams lack for ever are one line, with the newest of them, and no problem', () => {
  const text = (dates: readonly string[], streams: readonly string[]) => {
    const found = report({ lost: [{ account: 'a', dates, streams }] });
    expect(found.fine).toBe(true);
    return statusLines(found, { ...print, width: 200 }).find((line) => line.includes('No data'));
  };
  expect(text(['2026-07-03'], ['airank'])).toBe(
    '  No data for 2026-07-03, in airank: the API shows its own day only',
  );
  expect(text(['2026-07-01', '2026-07-03', '2026-07-09'], ['airank', 'demand', 'sources'])).toBe(
    '  No data for 2026-07-09 and 2 more dates since 2026-07-01, in airank, demand and 1 more stream: the API shows its own day only',
  );
});

test('slices that are complete, without data or being walked are fine', () => {
  const fine = scopes(['airank', 'unavailable'], ['demand', 'running']);
  expect(problemsOf(look({ scopes: fine }))).toEqual([]);
});

test.each([
  [scopes(['citas', 'failed', 2, 2]), '2 slices of 2026-07-15 failed. Run: airank sync'],
  [
    scopes(['citas', 'unfinished'], ['demand', 'unfinished', 3]),
    '4 slices of 2026-07-15 are not finished, and nothing works on them. Run: airank sync',
  ],
  [
    scopes(...['a', 'b', 'c', 'd', 'e', 'f'].map((name): [string, ScopeState] => [name, 'never_synced'])),
    'never synced: a, b, c, d and 2 more streams. Run: airank sync, or switch off what is not wanted (streams.NAME.enabled: false)',
  ],
  [
    scopes(['citas', 'stale'], ['demand', 'stale', 3, 12]),
    'stale: citas, demand (3 of 12 slices). airank plan shows whether the budget has room for them',
  ],
  // What broke: status said that everything was fine where 18 of 61 slices waited and 17 streams had never been fetched.
  [
    scopes(['citas', 'deferred', 3, 4], ['demand', 'deferred']),
    '4 slices of 2026-07-15 wait for requests: citas (3 of 4 slices), demand. The next sync begins with them',
  ],
])('what is lacking is told with what to do: %#', (given, text) => {
  expect(problemsOf(look({ streams: [stream('airank')], scopes: given }))).toEqual([`Account a: ${text}`]);
});

test('an account without new data is told once, by its age', () => {
  const old = {
    streams: [stream('airank', { run_date: '2026-07-12' })],
    scopes: scopes(['airank', 'stale']),
  };
  expect(problemsOf(look(old))).toEqual([
    'Account a: nothing newer than 2026-07-12 is published, 3 days ago. Run: airank sync',
  ]);
});

test('a run date to come is not called today', () => {
  const account = look({
    days: [{ account: 'a', run_date: '2026-07-20', slices: { complete: 1 } }],
    streams: [stream('airank', { run_date: '2026-07-20' })],
    scopes: scopes(['airank', 'future']),
  });
  expect(problemsOf(account)).toEqual([
    expect.stringMatching(/^Account a: published 2026-07-20 is in the future/),
  ]);
  expect(statusLines({ ...report({}), accounts: [account] }, print)).toContainEqual(
    expect.stringMatching(/^Account a: newest data 2026-07-20, in 5 days\. /),
  );
});

test('a run whose process is gone is a problem, a living one is shown with how far it is', () => {
  const run = {
    account: 'a',
    run_id: 12,
    job: 'daily',
    run_date: '2026-07-15',
    started_at: new Date('2026-07-15T03:15:00Z'),
    streams: [],
    client_ids: null,
    slices: 55,
    ended: 17,
    requests: 318,
  };
  expect(problemsOf(look({ runs: [{ ...run, is_alive: true }] }))).toEqual([]);
  expect(statusLines(report({ runs: [{ ...run, is_alive: true }] }), { ...print, width: 120 })).toContain(
    '  a sync works on it: a run of daily, since 2026-07-15 03:15 UTC, 17 of 55 slices, 318 requests',
  );
  // Another goes on in its place.
  const both = [
    { ...run, is_alive: true },
    { ...run, is_alive: false },
  ];
  expect(problemsOf(look({ runs: both }))).toEqual([]);
  expect(problemsOf(look({ runs: [{ ...run, is_alive: false }] }))).toEqual([
    'Account a: a run of daily, begun 2026-07-15 03:15 UTC, died on the way. Run: airank sync, which goes on where it stopped',
  ]);
});

test('a walk that another run is working on is not called unfinished', () => {
  const walks = [
    slice('airank', { status: 'walking', stored_pages: 3, walking: true }),
    slice('citas', { status: 'deferred', stored_pages: 12 }),
  ];
  expect(look({ incomplete: walks }).unfinished.map((one) => one.stream)).toEqual(['citas']);
});

test('an account of the configuration that was never synced is shown, and is not fine', () => {
  const nothing = { streams: [], days: [], incomplete: [], scopes: scopes(['airank', 'never_synced']) };
  const account = accountStatus('a', nothing, null, today, enabled);
  expect(problemsOf(account)).toEqual(['Account a: never synced. Run: airank sync']);
  expect(statusLines({ ...report({}), accounts: [account] }, print)[2]).toBe(
    'Account a: never synced. Run: airank sync',
  );
});

test('every line fits 80 columns', () => {
  const streams = Array.from({ length: 40 }, (_, index) => stream(`a_rather_long_name_${index}`));
  const error =
    'GET citas answered 500, expected JSON, got something that is much longer than a line of the screen';
  const incomplete = [
    slice('citas', { error }),
    slice('shopping', { status: 'unavailable', client_id: '7' }),
    slice('demand', {
      status: 'unavailable',
      published: '2026-07-12',
      error: 'GET demand answered 404, got "{}"',
    }),
    slice('mediciones', { status: 'deferred', stored_pages: 12 }),
  ];
  const lines = statusLines(report({ streams, incomplete, scopes: scopes(['citas', 'failed']) }), print);
  expect(lines.filter((line) => [...line].length > 80)).toEqual([]);
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "✗ Account a: 1 slice of 2026-07-15 failed. Run: airank sync

    Account a: newest data 2026-07-15, today. Run date 2026-07-15: 2 of 2 slices
    complete
      Budget: not known, the configuration does not have this account
      ✗ failed: citas: GET citas answered 500, expected JSON, got something that is
        much longer than a line of the screen
      ! no data: shopping (client 7)
      ! no data: demand, data until 2026-07-12: answered 404, got "{}"
      ! unfinished, a sync of 2026-07-15 goes on there: mediciones (12 pages stored)

      stream                 newest      slices  records  versions  last change
      a_rather_long_name_0   2026-07-15  1/1          10        30  +1 ~2 -0
      a_rather_long_name_1   2026-07-15  1/1          10        30  +1 ~2 -0
      a_rather_long_name_2   2026-07-15  1/1          10        30  +1 ~2 -0
      a_rather_long_name_3   2026-07-15  1/1          10        30  +1 ~2 -0
      a_rather_long_name_4   2026-07-15  1/1          10        30  +1 ~2 -0
      a_rather_long_name_5   2026-07-15  1/1          10        30  +1 ~2 -0
      a_rather_long_name_6   2026-07-15  1/1          10        30  +1 ~2 -0
      a_rather_long_name_7   2026-07-15  1/1          10        30  +1 ~2 -0
      a_rather_long_name_8   2026-07-15  1/1          10        30  +1 ~2 -0
      a_rather_long_name_9   2026-07-15  1/1          10        30  +1 ~2 -0
      a_rather_long_name_10  2026-07-15  1/1          10        30  +1 ~2 -0
      a_rather_long_name_11  2026-07-15  1/1          10        30  +1 ~2 -0
      … and 28 more streams, all up to date (--all)

    No backup yet: airank backup FILE, or a job of kind backup"
  `);
});

test('a long table shows what is stale first, and everything with --all', () => {
  const streams = Array.from({ length: 40 }, (_, index) => stream(`s${index}`, { records: 1_000 - index }));
  const late = stream('late', { run_date: '2026-07-14', records: 1 });
  const rows = (all: boolean) =>
    statusLines(report({ streams: [...streams, late] }), { ...print, all }).filter((line) =>
      /^ {2}(s\d|late)/.test(line),
    );
  expect(rows(false)).toHaveLength(12);
  expect(rows(false)[0]).toMatch(/^ {2}late/);
  expect(rows(true)).toHaveLength(41);
});

test('slices that failed alike are one line, and each has its own with --all', () => {
  const failed = (name: string, error: string) => slice(name, { error });
  const incomplete = [
    ...['a', 'b', 'c', 'd', 'e'].map((name) => failed(name, `GET ${name} answered 401`)),
    failed('f', 'GET f answered 500'),
  ];
  const lines = (all: boolean) =>
    statusLines(report({ incomplete }), { ...print, all }).filter((line) => line.includes('failed: '));
  expect(lines(false)).toEqual([
    '  ✗ failed: a, b, c and 2 more: answered 401',
    '  ✗ failed: f: GET f answered 500',
  ]);
  expect(lines(true)).toHaveLength(6);
});

test('twenty accounts fit one screen: those with a problem are shown, the others named', () => {
  const day = (account: string) => ({ account, run_date: '2026-07-15', slices: { complete: 2 } });
  const accounts = Array.from({ length: 20 }, (_, index) => {
    const name = `account-${index}`;
    const run_date = index === 7 ? '2026-07-01' : '2026-07-15';
    const late = [{ stream: 'citas', client_id: '', state: 'stale' as const }];
    const facts = {
      streams: [stream('airank', { account: name }), stream('citas', { account: name, run_date })],
      days: [day(name)],
      incomplete: [],
      scopes: new Map([[name, { states: {}, open: index === 7 ? late : [], of: new Map() }]]),
    };
    return accountStatus(name, facts, null, today, enabled);
  });
  const problems = accounts.flatMap((account) => problemsOf(account));
  const lines = statusLines({ ...report({}), accounts, problems, fine: false }, print);
  expect(lines.length).toBeLessThan(24);
  expect(lines.join('\n')).toMatch(/^Account account-7: /m);
  expect(lines.join('\n')).toMatch(/^19 accounts without a problem \(--all\): account-0, account-1/m);
  expect(lines.filter((line) => line.startsWith('  citas'))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith('  airank'))).toHaveLength(0);
});

describe('the scheduler', () => {
  const incident = {
    cause: 'key:old',
    kind: 'key_refused',
    message: 'x',
    since: '2026-07-15T01:00:00Z',
    over_at: null,
    told_at: '2026-07-15T01:01:00Z',
  };
  const given = { working: true, used: true, waiting: [], incidents: [], has_channels: true, problems: [] };

  test('is not mentioned where there never was one', () => {
    expect(scheduleLines({ ...given, working: false, used: false }, print)).toEqual([]);
  });

  test('works or not, what waits, and who was told what', () => {
    const waiting = [{ job: 'daily', since: '2026-07-15T01:15:00Z' }];
    const over = { ...incident, cause: 'run:daily', over_at: '2026-07-15T02:00:00Z', told_at: null };
    expect(scheduleLines({ ...given, waiting, incidents: [incident, over] }, print)).toEqual([
      'Scheduler: works; due: daily since 2026-07-15 01:15 UTC',
      '  incident   since, UTC        over              sent, UTC',
      '  key:old    2026-07-15 01:00                    2026-07-15 01:01',
      '  run:daily  2026-07-15 01:00  2026-07-15 02:00  not yet',
      '',
    ]);
  });

  test('says that nobody hears of incidents without a webhook, and shortens a long list', () => {
    const incidents = Array.from({ length: 9 }, () => ({ ...incident, told_at: null }));
    const lines = scheduleLines({ ...given, working: false, has_channels: false, incidents }, print);
    expect(lines[0]).toBe('Scheduler: none works; nothing waits');
    expect(lines[2]).toMatch(/no webhook or mail address is set$/);
    expect(lines).toHaveLength(9);
    expect(lines.at(-2)).toBe('  … and 4 more (--all)');
  });
});

test('says what identifies a record', () => {
  expect(describeKey([['id']])).toBe('key id');
  expect(describeKey([['fecha'], ['metodo', 'nombre']])).toBe('key fecha + metodo.nombre');
  expect(describeKey([])).toBe('key: content');
  expect(describeKey([[]])).toBe('key (the record itself)');
  expect(describeKey(null)).toBe('key not known yet');
});

test('says first what waits for requests, what of it was never fetched, and when they go on', () => {
  const waits = (name: string, client_id = '') => slice(name, { status: 'deferred', client_id });
  const incomplete = [waits('products', '1'), waits('products', '2'), waits('crawl')];
  const streams = [stream('airank'), stream('products', { complete: 0 })];
  const of = scopes(['products', 'deferred', 2, 3], ['crawl', 'deferred']);
  const budget = {
    used_today: 190,
    per_day: 200,
    reserved_for_people: 10,
    remaining_today: 0,
    renews_at: '2026-07-16T00:00:00.000Z',
    renewal: 'assumed',
    closed_until: null,
  } as const;
  const account = { ...look({ incomplete, streams, scopes: of }), budget };
  const problems = problemsOf(account);
  expect(
    statusLines({ ...report({}), accounts: [account], problems, fine: false }, { ...print, width: 300 })[0],
  ).toBe(
    '✗ Account a: 3 slices of 2026-07-15 wait for requests (1 stream never fetched yet): products (2 of 3 slices), crawl. The next sync begins with them, from 2026-07-16 00:00 UTC on',
  );
});

test('fine says which streams are of today, and how old the others are', () => {
  const late = stream('citas', { run_date: '2026-07-14' });
  const of = (streams: readonly StreamStatus[]) =>
    statusLines(report({ streams }), { ...print, width: 200 })[0];
  expect(of([stream('airank'), stream('citas')])).toBe('✓ Fine: all 2 streams are of today, 2026-07-15');
  expect(of([stream('airank'), late])).toBe(
    '✓ Fine: nothing is late; 1 of 2 streams is of today, 2026-07-15, the oldest of 2026-07-14',
  );
});

test('compares the results of the last batches with their plans', () => {
  const batch = {
    job: 'sync',
    accounts: 1,
    run_date: '2026-07-15',
    status: 'complete',
    started_at: new Date('2026-07-15T03:15:00Z'),
    finished_at: new Date('2026-07-15T03:16:00Z'),
  } as const;
  const batches = [
    {
      ...batch,
      id: 2,
      published_slices: 136,
      planned_slices: 136,
      requests: 1_742,
      planned_requests: 1_782,
      planned_first_walks: 0,
    },
    {
      ...batch,
      id: 1,
      published_slices: 135,
      planned_slices: 36,
      requests: 380,
      planned_requests: 36,
      planned_first_walks: 36,
    },
  ];
  const lines = statusLines({ ...report({}), batches }, { ...print, width: 120 });
  const from = lines.findIndex((line) => line.startsWith('Last batches'));
  expect(lines.slice(from, from + 5)).toEqual([
    'Last batches: what came of them / what was planned before their first requests',
    '  batch  job   run date    status    started, UTC      took   slices   requests',
    '  2      sync  2026-07-15  complete  2026-07-15 03:15  1 min  136/136  1,742/1,782',
    '  1      sync  2026-07-15  complete  2026-07-15 03:15  1 min  135/36+  380/36+',
    '  +: at least; a slice that was never synced may take more',
  ]);
});

test('the curated views are one line', () => {
  const views = { ready: 3, partial: 0, empty: 1, not_ready: [] };
  const lines = statusLines({ ...report({ streams: [stream('airank')] }), views }, print);
  expect(lines).toContain('3 of 4 views ready, 1 without data.');
});
