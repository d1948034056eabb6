// Runs on a budget that is too small: what waits, what is named, what comes first the next day.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import { type ArchiveServer, startArchiveServer } from '../support/archive-server.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { useDatabase } from '../support/test-database.ts';
import { truncatePublished } from '../support/truncate-published.ts';

const database = useDatabase();
let server: ArchiveServer;
let today: RunDate;

const clients = ['1', '2', '3', '4', '5', '6'];

beforeAll(async () => {
  server = await startArchiveServer(5);
});
afterAll(async () => {
  await server.close();
});
beforeEach(async () => {
  await truncatePublished(database.pool);
  server.archives.clear();
  today = '2026-03-01' as RunDate;
});

/** A new run date on a new day of the ledger. */
async function nextDay(perDay: number, streams: readonly string[]) {
  today = addDays(today, 1);
  await database.pool.query(
    'truncate sync.budget, sync.budget_hour, sync.budget_minute, sync.budget_account',
  );
  server.asked = [];
  return await sameDay(perDay, streams);
}

async function sameDay(perDay: number, streams: readonly string[]) {
  return await syncOnce({
    ...{ pool: database.pool, url: server.url, runDate: today, streams, clientIds: clients },
    limits: { sliceConcurrency: 1 },
    env: { AIRANK_PER_DAY: String(perDay), AIRANK_RESERVE_PERCENT: '0' },
  });
}

function fill(route: string, count: number): void {
  server.archives.set(
    route,
    Array.from({ length: count }, (_, index) => ({ id: count - index, valor: 0 })),
  );
}

/** The archive has so many records, each client three products, and a day has shown how many pages that is. */
async function knownDay(records: number): Promise<void> {
  fill('crawl', records);
  for (const client of clients) fill(`products?${client}`, 3);
  await nextDay(100, both);
}
const both = ['crawl', 'products'];

describe('a run whose budget ends', () => {
  it('names what waits and when it goes on, exits with 3, and the next run takes that first', async () => {
    for (const client of clients) fill(`products?${client}`, 3);
    const first = await nextDay(4, ['products']);
    expect(first).toMatchObject({
      exit_code: 3,
      slices: { complete: 4, deferred: 2 },
      deferred: [{ stream: 'products', slices: 2 }],
    });
    expect(Date.parse(first.deferred_until ?? '')).toBeGreaterThan(Date.now());
    const done = server.asked;
    await nextDay(4, ['products']);
    const waited = clients.map((client) => `products?${client} 1`).filter((page) => !done.includes(page));
    expect(server.asked.slice(0, 2)).toEqual(waited);
  });

  it('goes on where it was on the same run date, and asks for no page twice', async () => {
    fill('crawl', 39);
    await nextDay(5, ['crawl']);
    await database.pool.query('truncate sync.budget, sync.budget_hour, sync.budget_minute');
    const rest = await sameDay(5, ['crawl']);
    expect(rest.slices.complete).toBe(1);
    expect(server.asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((page) => `crawl ${page}`));
  });

  it('fails a walk that no day has room for, and says so, instead of waiting for ever; what fits is walked', async () => {
    await knownDay(40);
    const short = await nextDay(7, both);
    expect(server.asked.filter((page) => page.startsWith('crawl'))).toEqual([]);
    expect(short).toMatchObject({
      ...{ exit_code: 1, deferred: [], deferred_until: null, slices: { complete: 6 } },
      too_large: [{ stream: 'crawl', client_id: '' }],
    });
    const error = expect.stringMatching('AIRANK_PER_DAY 7');
    expect(short.failures).toMatchObject([{ stream: 'crawl', error }]);
    const crawl = `select status, error from sync.slice where stream = 'crawl' and run_date = $1`;
    expect(await database.rows(crawl, today)).toMatchObject([{ status: 'failed', error }]);
    // With room for it nothing is lost but the days between.
    expect(await sameDay(100, both)).toMatchObject({ exit_code: 0, slices: { complete: 7 } });
  });

  it('lets a route that always fails take its turn like others, not the place of the stalest', async () => {
    for (const client of clients.slice(1)) fill(`products?${client}`, 3);
    server.failsFrom = 1;
    await nextDay(1, ['products']);
    const [failed] = server.asked;
    server.failsFrom = undefined;
    await nextDay(3, ['products']);
    expect(server.asked).not.toContain(failed);
  });
});

it('stores the plan with the run, so that plan and truth can be compared', async () => {
  fill('crawl', 14);
  await nextDay(100, ['crawl']);
  await nextDay(100, ['crawl']);
  const { rows } = await database.pool.query('select plan, summary from sync.run order by id desc limit 1');
  expect(rows[0].plan).toMatchObject({ account: 'default', requests_today: 3, fits: 1, deferred: 0 });
  expect(rows[0].summary).toMatchObject({ requests: 3, slices: { complete: 1 } });
});
