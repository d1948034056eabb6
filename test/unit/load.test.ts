import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createProgress, plainLine, progressLines } from '../../src/cli/print/progress.ts';
import { redraw } from '../../src/cli/print/redraw.ts';
import { textWidth } from '../../src/cli/print/text.ts';
import { createLoad, type Load } from '../../src/sync/run/load.ts';
import type { PlannedLoad, SliceOutcome } from '../../src/sync/run/sync-options.ts';
import { sliceOutcome } from '../support/slice-outcome.ts';

let nowMs: number;
let load: Load;
const until = new Date('2026-07-16T00:00:00Z');

beforeEach(() => {
  nowMs = 0;
  load = createLoad(() => nowMs);
});

const part = (stream: string, more: Partial<PlannedLoad> = {}): PlannedLoad => ({
  ...{ stream, clientId: '', phase: 'records', requests: 1, isAtLeast: true, detailsOf: undefined },
  ...more,
});
const known = (stream: string, requests: number) => part(stream, { requests, isAtLeast: false });
const traces = (more: Partial<PlannedLoad> = {}) =>
  part('traces', { phase: 'details', detailsOf: 'runs', ...more });

function plan(...loads: readonly PlannedLoad[]): void {
  load.follow({ kind: 'planned', account: 'a', loads, perMinute: 60, until });
}
const scope = (stream: string, clientId = '') => ({ stream, account: 'a', clientId });

/** Fetches so many pages of a slice, one request each. */
function fetch(stream: string, pages: number, { clientId = '', remaining = 4_000, eachMs = 100 } = {}): void {
  load.follow({ kind: 'begun', scope: scope(stream, clientId) });
  for (let pageNo = 1; pageNo <= pages; pageNo += 1) {
    nowMs += eachMs;
    load.follow({ kind: 'request', account: 'a', status: 200, remainingToday: remaining });
    load.follow({ kind: 'page', scope: scope(stream, clientId) });
  }
}

function end(stream: string, more: Partial<SliceOutcome> = {}): void {
  load.follow({ kind: 'slice', outcome: sliceOutcome({ stream, ...more }) });
}

const figures = () => {
  const { made, left, isAtLeast } = load.view();
  return { made, left, isAtLeast };
};

test('a first load grows with the list of clients, and with each list that is read', () => {
  plan(part('clientes', { phase: 'clients' }), part('runs'), traces());
  expect(figures()).toEqual({ made: 0, left: 3, isAtLeast: true });
  fetch('clientes', 1);
  end('clientes', { records: 2 });
  const lists = ['', '1', '2'].flatMap((clientId) => [part('runs', { clientId }), traces({ clientId })]);
  plan(...lists);
  expect(figures()).toEqual({ made: 1, left: 6, isAtLeast: true });
  fetch('runs', 1);
  end('runs', { records: 40 });
  // Its traces are counted, and those of the clients are taken to be about as many.
  expect(figures()).toEqual({ made: 2, left: 40 + 2 + 2 * 40, isAtLeast: true });
  for (const clientId of ['1', '2']) {
    fetch('runs', 2, { clientId });
    end('runs', { clientId, records: 30 });
  }
  expect(figures()).toEqual({ made: 6, left: 100, isAtLeast: false });
});

test('what is done, deferred or failed is not left', () => {
  plan(known('done', 0), known('waits', 30), known('breaks', 20), known('walks', 10));
  expect(figures()).toEqual({ made: 0, left: 60, isAtLeast: false });
  end('done', { already: true });
  end('waits', { end: 'deferred' });
  fetch('breaks', 1);
  end('breaks', { end: 'failed' });
  expect(load.view()).toMatchObject({ ended: 3, streams: 4, failed: 1, made: 1, left: 10 });
});

test('what the day has no room for waits until it renews, and the time is that of the others', () => {
  plan(known('runs', 500));
  fetch('runs', 10, { remaining: 90, eachMs: 2_000 });
  const view = load.view();
  expect(view.later).toEqual({ requests: 400, streams: 0, until });
  expect(view.etaMs).toBe(90 * 1_000);
  expect(progressLines(view, 120, 'UTC').at(-1)).toBe(
    'waiting for requests, until 16 Jul 00:00 (UTC): 400 requests of these',
  );
});

describe('what holds a sync up', () => {
  const full = (account: string, ms: number, isAsked = false) =>
    load.follow({ kind: 'full', account, until: new Date(nowMs + ms), isAsked });
  const lines = () => [
    ...(progressLines(load.view(), 200, 'UTC')[1] ?? '').split('; ').slice(1),
    ...progressLines(load.view(), 79, 'UTC').slice(2),
  ];

  test('a minute that is full is said until an answer comes or the minute is over', () => {
    plan(known('runs', 90));
    fetch('runs', 60);
    full('a', 900);
    expect(lines()).toEqual([]);
    full('a', 54_000);
    nowMs += 31_000;
    expect(lines()).toEqual(['next request in 23 s (60 a minute)']);
    expect(plainLine(load.view(), 'UTC')).toMatch(/; next request in 23 s \(60 a minute\)$/);
    nowMs += 23_000;
    expect(lines()).toEqual([]);
    full('a', 54_000);
    fetch('runs', 1);
    expect(lines()).toEqual([]);
  });

  test('a database that is away is said until it is back', () => {
    plan(known('runs', 90));
    full('a', 54_000);
    load.follow({ kind: 'database', since: new Date(nowMs) });
    nowMs += 72_000;
    expect(lines()).toEqual(['no answer from Postgres for 1 min 12 s; goes on when it is back']);
    load.follow({ kind: 'database', since: undefined });
    expect(lines()).toEqual([]);
  });
});

test('the run of another process is named until something happens here', () => {
  plan(part('runs'));
  const run = {
    ...{ account: 'a', run_id: 12, job: 'daily', run_date: '2026-07-15', is_alive: true, streams: [] },
    started_at: new Date('2026-07-15T17:31:00Z'),
    ...{ client_ids: null, slices: 55, ended: 17, requests: 318 },
  };
  load.follow({ kind: 'waiting', account: 'a', run });
  expect(progressLines(load.view(), 120, 'UTC').at(-1)).toBe(
    'waits for a run of daily, since 15 Jul 17:31 (UTC), 318 requests so far',
  );
  end('runs', { already: true });
  expect(load.view().waitsFor).toBeUndefined();
});

test('progress is two lines of 80 columns, or one without a terminal', () => {
  plan(part('agent_runs', { requests: 552 }), traces({ isAtLeast: false, requests: 1_550 }));
  fetch('traces', 1_318, { eachMs: 1_000 });
  load.follow({ kind: 'begun', scope: scope('agent_runs') });
  fetch('traces', 1);
  expect(progressLines(load.view(), 79, 'UTC')).toEqual([
    '━━━━━━━━━━━━━━━━━━━━────────────  1,319 of 2,102 requests or more',
    '0 of 2 streams done, now traces, 1,319 of 1,550 (and 1 more)',
  ]);
  expect(plainLine(load.view(), 'UTC')).toBe(
    '1,319 of 2,102 requests or more, 0 of 2 streams done, now traces, 1,319 of 1,550 (and 1 more)',
  );
  plan(known('respuestas', 1_000_000));
  expect(Math.max(...progressLines(load.view(), 79, 'UTC').map((line) => [...line].length))).toBeLessThan(80);
});

const eraseRows = (rows: number) => `\u001b[${rows}A\r\u001b[J`;

/** A terminal of so many columns, and what was written to it. */
function terminal(columns: number) {
  const written: string[] = [];
  const write = (chunk: unknown) => written.push(String(chunk)) > 0;
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns, write });
  return { written, write, stderr: stderr as unknown as NodeJS.WriteStream };
}

test('each line takes one row, so that all of them are erased', () => {
  const { written, stderr } = terminal(30);
  const lines = ['会社'.repeat(20), 'a'.repeat(200)];
  const shown = redraw(stderr, () => lines);
  shown.draw();
  expect(written.join('').trimEnd().split('\n').map(textWidth)).toEqual([28, 29]);
  lines.pop();
  shown.draw();
  shown.stop();
  expect(written.slice(1)).toEqual([expect.stringContaining(`${eraseRows(2)}会社`), eraseRows(1)]);
});

test('a line of the log stands above the lines that renew themselves, which are drawn anew below it', () => {
  vi.useFakeTimers();
  const { written, write, stderr } = terminal(80);
  const progress = createProgress(stderr, 'UTC', () => nowMs);
  progress.listen({ kind: 'planned', account: 'a', loads: [], perMinute: 60, until });
  vi.advanceTimersByTime(200);
  const drawn = written.length;
  expect(written.join('')).toContain('0 of 0 requests');
  stderr.write('the log\n');
  expect(written.slice(drawn)).toEqual([eraseRows(2), 'the log\n']);
  vi.advanceTimersByTime(200);
  expect(written.join('').split('the log\n')[1]).toContain('0 of 0 requests');
  progress.stop();
  vi.useRealTimers();
  expect(stderr.write).toBe(write);
});
