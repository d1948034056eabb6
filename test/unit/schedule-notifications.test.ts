// Incidents of runs, streams and data, whom they are told, and when alerts are looked for.
import { hostname } from 'node:os';
import { json } from 'node:stream/consumers';
import { describe, expect, it, test } from 'vitest';
import { alertsPort } from '../../src/cli/commands/schedule-command.ts';
import { Secret } from '../../src/config/config.ts';
import { createScrubber } from '../../src/core/logger.ts';
import type { Job } from '../../src/jobs/define-job.ts';
import {
  type Findings,
  findDrift,
  findInError,
  findInRun,
  findStale,
  findUnreachable,
} from '../../src/jobs/schedule/incidents.ts';
import { incidentsMessage, type Told } from '../../src/jobs/schedule/notifications.ts';
import { createChannels } from '../../src/mail/channels.ts';
import type { DriftStatus } from '../../src/status/status-report.ts';
import { type StoredIncident, wholeMessage } from '../../src/status/stored-incidents.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { type AccountSummary, type BatchSummary, summarizeAccount } from '../../src/sync/run/summary.ts';
import type { SliceOutcome } from '../../src/sync/run/sync-options.ts';
import { closing } from '../support/closing.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { sliceOutcome } from '../support/slice-outcome.ts';

const hour = 3_600_000;

type Ends = Partial<Record<SliceOutcome['end'], number>>;

function account(name: string, ends: Ends, more: Partial<AccountSummary> = {}): AccountSummary {
  const outcomes = Object.entries(ends).flatMap(([end, count]) =>
    Array.from({ length: count }, () => sliceOutcome({ end: end as SliceOutcome['end'] })),
  );
  const budget = { requests: 0, usedToday: 0, remainingToday: 0 };
  const run = { account: name, warnings: [], outcomes, ended: undefined, deferredUntil: undefined };
  return { ...summarizeAccount(run, budget), ...more };
}

function summary(status: BatchSummary['status'], ...accounts: AccountSummary[]): BatchSummary {
  return {
    ...{ batch_id: 1, job: 'daily', run_date: '2026-01-01', status, exit_code: 1 },
    ...{ started_at: '2026-01-01T00:00:00Z', finished_at: '2026-01-01T00:01:00Z' },
    accounts: accounts.map((one, index) => ({ run_id: index, run_date: '2026-01-01', status, ...one })),
    ...{ accounts_not_started: [], drift: [], view_failures: [] },
  };
}

const fine = account('a', { complete: 3 });
const refused = account('b', { failed: 2, not_started: 5 }, { ended: 'refused', ended_status: 401 });
const error = 'GET sources answered 500, got "Silla"';
const failure = { stream: 'sources', client_id: '7', error, status: 500 };
const failing = account('c', { complete: 1, failed: 1 }, { failures: [failure] });
const waiting = account('d', { deferred: 40 }, { deferred_until: '2026-01-02T00:00:00.000Z' });

const kindsOf = ({ incidents }: Findings) => incidents.map(({ kind, cause }) => `${kind} ${cause}`);

describe('incidents in a run', () => {
  test.each([
    ['all well', summary('complete', fine), []],
    ['a refused key, which is no failed run too', summary('failed', fine, refused), ['key_refused key:b']],
    ['slices that failed', summary('failed', fine, failing), ['run_failed run:daily']],
    ['both', summary('failed', refused, failing), ['key_refused key:b', 'run_failed run:daily']],
    ['a budget that ended first', summary('deferred', fine, waiting), ['run_incomplete run:daily']],
    ['a run that somebody stopped says nothing', summary('stopped', failing), []],
  ])('%s', (_, run, kinds) => {
    expect(kindsOf(findInRun(run))).toEqual(kinds);
  });

  test('says where and what, and how much more', () => {
    expect(findInRun(summary('failed', failing)).incidents[0]).toMatchObject({
      message: 'Job daily of 2026-01-01 failed: 1 list is missing. c/sources, client 7 (status 500)',
      detail: expect.stringContaining(`1 list is missing. c/sources, client 7: ${error}`),
    });
    expect(findInRun(summary('deferred', waiting)).incidents[0]?.message).toContain(
      'the budget of account d ran out before 40 lists were loaded. The next requests go out from 2026-01-02 00:00 UTC on',
    );
  });

  test('a loss that was seen once is told of after a second look, and hides no other failure', () => {
    const lost = { ...failure, looks_again_at: '2026-01-01T00:31:00.000Z' };
    const once = findInRun(summary('failed', account('c', { failed: 1 }, { failures: [lost] })));
    expect([once.incidents, once.checked('run:daily')]).toEqual([[], false]);
    const both = account('c', { failed: 2 }, { failures: [lost, failure] });
    expect(findInRun(summary('failed', both)).incidents[0]?.message).toContain('1 list is missing');
  });

  test('a key is only known to work again when a request of it was answered', () => {
    expect(findInRun(summary('complete', fine)).checked('key:a')).toBe(true);
    const idle = account('a', { complete: 3 }, { already_complete: 3 });
    expect(findInRun(summary('complete', idle)).checked('key:a')).toBe(false);
    expect(findInRun(summary('complete', idle)).checked('run:daily')).toBe(true);
    expect(findInRun(summary('complete', idle)).checked('run:other')).toBe(false);
  });
});

describe('late streams', () => {
  const jobs: Job[] = [
    { name: 'all', description: 'x', deadlineHours: 30 },
    { name: 'rank', description: 'x', streams: ['airank'], accounts: ['a'], deadlineHours: 14 },
    { name: 'some', description: 'x', clients: ['7'], deadlineHours: 1 },
  ];
  test('only what is older than its deadline is late', () => {
    const now = new Date('2026-01-03T00:00:00Z');
    const aged = (accountName: string, hours: number) => ({
      ...{ account: accountName, stream: 'airank', completedAt: new Date(now.getTime() - hours * hour) },
    });
    const stale = findStale([aged('a', 14.5), aged('b', 14.5), aged('c', 31)], catalog, jobs, now);
    expect(kindsOf(stale)).toEqual(['stream_stale stale:a:airank', 'stream_stale stale:c:airank']);
  });
});

test('a database is an incident once it is away for longer than a run waits, and over when it answers', () => {
  expect(kindsOf(findUnreachable(60_000, 300_000))).toEqual([]);
  expect(findUnreachable(60_000, 300_000).checked('database')).toBe(false);
  expect(findUnreachable(400_000, 300_000).incidents[0]?.message).toContain('out of reach for 7 min');
  expect(findUnreachable(undefined, 300_000)).toMatchObject({ incidents: [] });
  expect(findUnreachable(undefined, 300_000).checked('database')).toBe(true);
});

const newField: DriftStatus = {
  ...{ source: 'products', kind: 'new_field', path: 'precio.iva', type: 'number', example: '21' },
  ...{ first_run_date: '2026-01-02', last_run_date: '2026-01-02' },
};

describe('drift', () => {
  const drift = (more: Partial<DriftStatus> = {}): DriftStatus => ({ ...newField, ...more });

  test('says where and what', () => {
    const gone = drift({ kind: 'field_gone', type: '' });
    const conflict = drift({ kind: 'identity_conflict', path: '', type: '', example: '3 records with id 7' });
    expect(findDrift([drift(), gone, conflict]).incidents.map(wholeMessage)).toEqual([
      'Stream products has a new field precio.iva (number, such as 21) since 2026-01-02',
      'Stream products no longer has the field precio.iva since 2026-01-02',
      'Stream products has records whose key is missing or repeated (3 records with id 7) since 2026-01-02',
    ]);
  });

  test('each has a cause of its own that fits a key, however deep the field', () => {
    const deep = findDrift([drift({ path: 'á'.repeat(3_000) }), drift(), drift({ type: 'text' })]);
    const causes = deep.incidents.map(({ cause }) => cause);
    expect(new Set(causes).size).toBe(3);
    expect(Math.max(...causes.map((cause) => Buffer.byteLength(cause)))).toBeLessThan(2_000);
  });
});

describe('webhooks', () => {
  const kept = closing();
  const incident: StoredIncident = {
    ...{ cause: 'key:a', kind: 'key_refused', account: 'a', overAt: undefined },
    message: 'the key k-secret-123 & more <here>',
    since: new Date('2026-01-01T00:00:00Z'),
  };
  const told: Told[] = [{ state: 'open', incident }];

  /** Bodies that webhooks got, by their form. */
  async function sent(all: readonly Told[]) {
    const got = new Map<string, Record<string, unknown>>();
    const server = await startLoopbackServer(async (request, response) => {
      got.set(request.url ?? '', (await json(request)) as Record<string, unknown>);
      response.end();
    });
    const { url } = kept(server);
    const forms = ['json', 'slack'] as const;
    const webhooks = forms.map((format) => ({ name: format, url: new Secret(`${url}/${format}`), format }));
    const scrub = createScrubber(['k-secret-123']);
    const channels = createChannels({ webhooks, smtp: undefined }, forms, { scrub });
    for (const channel of channels) await channel.send(incidentsMessage(all, 'web-3'));
    return { json: got.get('/json') ?? {}, slack: got.get('/slack') ?? {} };
  }

  test('send JSON, and the form that Slack takes, without a secret', async () => {
    const bodies = await sent(told);
    expect(bodies.slack).toEqual({ text: 'airank web-3 ✗ the key [secret] &amp; more &lt;here&gt;' });
    expect(bodies.json).toMatchObject({
      source: 'airank-warehouse',
      host: 'web-3',
      text: 'airank web-3 ✗ the key [secret] & more <here>',
      incidents: [
        { state: 'open', cause: 'key:a', message: 'the key [secret] & more <here>', over_at: null },
      ],
    });
    expect(incidentsMessage(told).lines[0]).toContain(hostname());
  });

  // Regression: examples of new fields, and the beginnings of answers, went to chat rooms.
  test('quote no value of the data', async () => {
    const value = 'Silla-4711';
    const quoted = { ...failure, error: `GET sources answered 500, got ${value}` };
    const broken = account('c', { failed: 1 }, { failures: [quoted] });
    const ended = `Last answer: ${value}`;
    const findings = [
      findInRun(summary('failed', account('b', {}, { ended, ended_status: 401 }))),
      findInRun(summary('failed', broken, account('d', {}, { ended, ended_status: 404 }))),
      findInError('weekly', `invalid input syntax: ${value}`),
      findDrift([
        ...(['new_field', 'new_type', 'field_gone'] as const).map((kind) => ({
          ...newField,
          kind,
          example: value,
        })),
        { ...newField, kind: 'identity_conflict', path: '', type: '', example: value },
      ]),
    ];
    const incidents = findings.flatMap((found) => found.incidents);
    const news: Told[] = incidents.map((found) => ({ state: 'open', incident: { ...incident, ...found } }));
    expect(news).toHaveLength(7);
    for (const body of Object.values(await sent(news))) {
      expect(JSON.stringify(body)).not.toContain(value);
      expect(body['text']).toContain('c/sources, client 7');
      expect(body['text']).toContain('precio.iva (number');
    }
  });
});

const done = { isBusy: false, broken: [] };

function portThat(...outcomes: (typeof done | { isBusy: true; broken: [] } | Error)[]) {
  const checks: boolean[] = [];
  const stop = new AbortController();
  const run = ({ check }: { check: boolean }) => {
    checks.push(check);
    const outcome = outcomes.shift() ?? done;
    return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
  };
  return { checks, stop, port: alertsPort(run, stop.signal) };
}

describe('the alerts of a scheduler', () => {
  it('are looked for on each look until one succeeds, and only told after it', async () => {
    const { checks, port } = portThat(new Error('the database is away'), { isBusy: true, broken: [] }, done);
    await expect(port('look')).rejects.toThrow('away');
    for (const _ of [1, 2, 3]) await port('look');
    expect(checks).toEqual([true, true, true, false]);
  });

  it('are looked for after every batch, which makes up for looks that failed', async () => {
    const { checks, port } = portThat(new Error('the database is away'));
    await port('look').catch(() => undefined);
    await port('batch');
    await port('look');
    await port('batch');
    expect(checks).toEqual([true, true, false, true]);
  });

  it('wait for the next start after a stop', async () => {
    const { checks, stop, port } = portThat();
    stop.abort();
    await port('look');
    await port('batch');
    expect(checks).toEqual([]);
  });
});
