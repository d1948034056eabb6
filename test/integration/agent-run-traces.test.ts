// The trace of each agent run is asked for when the run is new or changed, and is never stale.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type LoopbackServer, sendJson, startLoopbackServer } from '../support/loopback-server.ts';
import { type SyncRequest, syncOnce } from '../support/sync-in-process.ts';
import { useDatabase } from '../support/test-database.ts';
import { truncatePublished } from '../support/truncate-published.ts';

const database = useDatabase();
let server: LoopbackServer;
/** State of each run, by id; the trace says the same. */
let runs: Record<string, string>;
let listFails = false;
/** Holds the answer with the list back until it resolves. */
let held: Promise<void> | undefined;
/** Traces answered before the daily cap of this kind of call is reached. */
let cap = Number.POSITIVE_INFINITY;
let asked: string[];
/** Id of a run whose trace cannot be had. */
let broken: string | undefined;
/** The run that is answered in place of the one asked for. */
let swapped: Record<string, string>;

const traceOf = (id: string) => ({ run_id: id, eventos: [runs[id]] });

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = new URL(request.url ?? '/', 'http://server').searchParams.get('id');
  if (id === null) await held;
  if (id !== null) asked.push(id);
  if (id !== null && asked.length > cap) {
    sendJson(response, 429, { error: 'quota' });
    return;
  }
  const fails = id === null ? listFails : id === broken;
  const list = Object.entries(runs).map(([run_id, estado]) => ({ run_id, estado }));
  const body = id === null ? { runs: list } : traceOf(swapped[id] ?? id);
  sendJson(response, fails ? 400 : 200, body);
}

beforeAll(async () => {
  server = await startLoopbackServer(respond);
});
afterAll(async () => {
  await server.close();
});
beforeEach(async () => {
  await truncatePublished(database.pool, ['sync.refused_detail']);
  runs = { uno: 'a', dos: 'a' };
  listFails = false;
  held = undefined;
  broken = undefined;
  swapped = {};
  cap = Number.POSITIVE_INFINITY;
});

async function sync(
  runDate: string,
  more: Partial<Pick<SyncRequest, 'again' | 'streams' | 'env' | 'limits'>> = {},
) {
  asked = [];
  const streams = more.streams ?? ['agent_runs', 'agent_run_traces'];
  return await syncOnce({ pool: database.pool, url: server.url, runDate, ...more, streams });
}

/** A new day of the ledger with so many requests. */
async function scarceDay(runDate: string, perDay: number, streams: readonly string[]) {
  await database.rows('truncate sync.budget, sync.budget_hour, sync.budget_minute, sync.budget_account');
  const env = { AIRANK_PER_DAY: String(perDay), AIRANK_RESERVE_PERCENT: '0' };
  return await sync(runDate, { streams, env, limits: { sliceConcurrency: 1 } });
}

async function traces(): Promise<Record<string, string>> {
  const { rows } = await database.pool.query(
    `select record_key, payload #>> '{eventos,0}' as event from snapshot.agent_run_traces where until = 'infinity'`,
  );
  return Object.fromEntries(rows.map((row) => [row.record_key, row.event]));
}

test('asks for new and changed runs only, carries the others and drops those of runs that are gone', async () => {
  await sync('2026-01-01');
  expect(asked.sort()).toEqual(['dos', 'uno']);
  runs = { uno: 'b', tres: 'a' };
  await sync('2026-01-02');
  expect(asked.sort()).toEqual(['tres', 'uno']);
  expect(await traces()).toEqual({ uno: 'b', tres: 'a' });
  await sync('2026-01-03');
  expect(asked).toEqual([]);
  expect(await traces()).toEqual({ uno: 'b', tres: 'a' });
});

test('gives requests that were reserved for traces and not needed to slices that had to wait', async () => {
  runs = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`run-${index}`, 'a']));
  const streams = ['agent_runs', 'agent_run_traces', 'prompt_research'];
  await sync('2026-01-01', { streams });
  // Two traces are expected and none has changed.
  const day = await scarceDay('2026-01-02', 6, streams);
  expect(day).toMatchObject({ exit_code: 0, slices: { complete: 3, deferred: 0 } });
});

test('lets traces wait when their runs have to', async () => {
  const streams = ['agent_os', 'agent_runs', 'agent_run_traces'];
  await sync('2026-01-01', { streams });
  expect(await scarceDay('2026-01-02', 1, streams)).toMatchObject({ exit_code: 3, slices: { failed: 0 } });
});

test('does not call the traces complete while the runs of the date are not published', async () => {
  await sync('2026-01-01');
  listFails = true;
  const failed = await sync('2026-01-02');
  expect(failed).toMatchObject({ exit_code: 1, slices: { failed: 2 } });
  listFails = false;
  runs = { uno: 'b', dos: 'a' };
  expect(await sync('2026-01-02')).toMatchObject({ exit_code: 0 });
  expect(asked).toEqual(['uno']);
  expect(await traces()).toEqual({ uno: 'b', dos: 'a' });
});

test('names the other run that is loading the runs again, while it does', async () => {
  await sync('2026-01-01');
  let release = () => {};
  held = new Promise((resolve) => {
    release = resolve;
  });
  const first = sync('2026-01-01', { again: true, streams: ['agent_runs'] });
  await vi.waitFor(async () => {
    const { rows } = await database.pool.query(`select from sync.slice where status = 'walking'`);
    expect(rows).toHaveLength(1);
  });
  const second = await sync('2026-01-01', { again: true, streams: ['agent_run_traces'] });
  release();
  expect(second.failures).toMatchObject([
    { error: expect.stringMatching(/^Another run is loading agent_runs now.* run airank sync again$/) },
  ]);
  expect(await first).toMatchObject({ exit_code: 0 });
  expect(await sync('2026-01-01')).toMatchObject({ exit_code: 0 });
});

test('asks the next day for runs that were published again after their traces', async () => {
  await sync('2026-01-01');
  runs = { uno: 'b', dos: 'a' };
  await sync('2026-01-02');
  runs = { uno: 'c', dos: 'a' };
  await sync('2026-01-02', { again: true, streams: ['agent_runs'] });
  expect(await traces()).toEqual({ uno: 'b', dos: 'a' });
  await sync('2026-01-03');
  expect(asked).toEqual(['uno']);
  expect(await traces()).toEqual({ uno: 'c', dos: 'a' });
});

test('asks for no other trace once a daily cap is reached, and for what is missing the next time', async () => {
  runs = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`run-${index}`, 'a']));
  cap = 3;
  expect(await sync('2026-01-01')).toMatchObject({ exit_code: 1, slices: { complete: 1, failed: 1 } });
  expect(asked).toHaveLength(4);
  cap = Number.POSITIVE_INFINITY;
  expect(await sync('2026-01-01')).toMatchObject({ exit_code: 0 });
  expect(asked).toHaveLength(5);
  expect(Object.keys(await traces())).toHaveLength(8);
});

test('remembers no refused trace of a run that is gone', async () => {
  const refused = () => database.lines('select value from sync.refused_detail');
  broken = 'dos';
  await sync('2026-01-01');
  expect(await refused()).toEqual(['dos']);
  runs = { dos: 'b' };
  await sync('2026-01-02');
  expect(await refused()).toEqual(['dos']);
  runs = { uno: 'a' };
  await sync('2026-01-03');
  expect(await refused()).toEqual([]);
});

test.each([
  ['at first contact', false, 'dos'],
  ['where traces are stored', true, 'dos'],
  ['also of one that nobody has heard of', true, 'someone-elses'],
])('never shows the trace of another run, %s', async (_when, hadData, other) => {
  if (hadData) await sync('2026-01-01');
  runs = { uno: 'b', dos: 'b' };
  swapped = { uno: other };
  const wrong = await sync('2026-01-02');
  expect(wrong).toMatchObject({ exit_code: 1, slices: { complete: 1, failed: 1 } });
  const error = expect.stringContaining(`expected data of record "uno", got data of record "${other}"`);
  expect(wrong.failures).toMatchObject([{ stream: 'agent_run_traces', error }]);
  expect(await traces()).toEqual({ ...(hadData ? { uno: 'a' } : {}), dos: 'b' });
  swapped = {};
  expect(await sync('2026-01-02')).toMatchObject({ exit_code: 0 });
  expect(await traces()).toEqual({ uno: 'b', dos: 'b' });
});
