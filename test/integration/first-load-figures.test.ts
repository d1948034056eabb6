// A sync tells while it works how many requests a first load takes, and whom it waits for.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { readStatusFacts } from '../../src/status/read-status.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { createLoad } from '../../src/sync/run/load.ts';
import type { SyncEvent } from '../../src/sync/run/sync-options.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
let sandbox: Sandbox;
const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
const apiKeys = ['test-key-123456'];
const streams = ['clientes', 'products', 'agent_runs', 'agent_run_traces'];

beforeAll(async () => {
  sandbox = await startSandbox({ clients: 2, size: 2, apiKeys, ...limits });
});
afterAll(() => sandbox?.close());

async function statesOf(today: string) {
  const config = { accounts: [] };
  const input = { config, streams: catalog, deadlineHours: () => undefined };
  const { scopes } = await readStatusFacts(database.db, input, today);
  return scopes?.get('default')?.states ?? {};
}

const sync = (runDate: string, url: string, emit: (event: SyncEvent) => void, names = streams) =>
  syncOnce({ pool: database.pool, url, runDate, streams: names, everyClient: true, emit });

test('once the lists are in, the number of requests is right within a fifth', async () => {
  const load = createLoad(Date.now);
  const told: { made: number; left: number; isAtLeast: boolean }[] = [];
  const summary = await sync('2026-03-01', sandbox.url, (event) => {
    load.follow(event);
    if (event.kind === 'planned') told.push(load.view());
  });
  expect(summary.exit_code).toBe(0);
  const { made, left, isAtLeast } = load.view();
  expect({ made, left, isAtLeast }).toEqual({ made: sandbox.stats().requests, left: 0, isAtLeast: false });
  const atLists = told.at(-1);
  // Most of it is asked for after the lists, one request a record.
  expect(atLists?.left).toBeGreaterThan(made / 2);
  expect(atLists?.isAtLeast).toBe(false);
  expect(Math.abs((atLists?.made ?? 0) + (atLists?.left ?? 0) - made)).toBeLessThanOrEqual(made / 5);
});

test('a sync that waits for another run tells which, since when and how far it is', async () => {
  const slow = await startSandbox({ clients: 0, apiKeys, ...limits, faults: { delayMs: [1_500, 1_500] } });
  try {
    const waiting: Extract<SyncEvent, { kind: 'waiting' }>[] = [];
    let onBegun = () => {};
    const begun = new Promise<void>((resolve) => {
      onBegun = resolve;
    });
    const first = sync('2026-03-02', slow.url, ({ kind }) => kind === 'begun' && onBegun(), ['airank']);
    await begun;
    const states = await statesOf('2026-03-02');
    // `airank` of the account and its two clients, after the list of clients; what nobody comes to is not fine.
    expect(states).toMatchObject({ running: 4 });
    expect(states.unfinished).toBeUndefined();
    expect(states.never_synced).toBeGreaterThan(10);
    const second = sync('2026-03-02', slow.url, (e) => e.kind === 'waiting' && waiting.push(e), ['airank']);
    await Promise.all([first, second]);
    const [run] = await database.rows(
      `select id as run_id, started_at from sync.run where run_date = '2026-03-02' order by id limit 1`,
    );
    expect(waiting[0]?.run).toMatchObject({
      ...run,
      ...{ job: 'test', is_alive: true, ended: 0, slices: expect.any(Number) },
    });
  } finally {
    await slow.close();
  }
});
