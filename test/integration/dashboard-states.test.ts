// A page tells apart what is not mapped, what has no data and what failed, and shows the rest.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { charts } from '../../src/reporting/dashboard/charts/catalog.ts';
import {
  type Chart,
  type ChartData,
  type PageName,
  pageNames,
} from '../../src/reporting/dashboard/charts/chart.ts';
import { rankTrend } from '../../src/reporting/dashboard/charts/client.ts';
import { readDashboardPage } from '../../src/reporting/dashboard/read/read-dashboard-page.ts';
import type { KnownReadiness } from '../../src/reporting/dashboard/read/read-overview.ts';
import { openReader, type Reader } from '../../src/reporting/reader/open-reader.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase(() => createSandboxWarehouse({ from: '2026-03-01', days: 2 }));
let reader: Reader;
let clientId = '';

beforeAll(async () => {
  reader = await openReader({ readerUrl: undefined, warehouse: database.pool });
  [clientId = ''] = await database.lines('select client_id from bi.clients where not is_account');
});

afterAll(() => reader.close());

const lacks = [
  { column: 'score', shows: 'nothing', field: 'rank_now.score', stream: 'airank', why: 'not_found' } as const,
];
const unmapped: KnownReadiness = {
  now: () => ({ count: 1, with_rows: 1, lacking: [{ view: 'bi.rank_trend', has_rows: true, lacks }] }),
  wait: async () => unmapped.now(),
};
const missedNights = async () => undefined;
const nothingKnown: KnownReadiness = { now: () => undefined, wait: async () => undefined };

async function stateOf(
  charts: readonly Chart[],
  readiness: KnownReadiness,
  client = clientId,
  page: PageName = 'client',
  period = { from: '2026-02-01', to: '2026-03-02' },
) {
  const failures: string[] = [];
  const scope = { clientKey: `default/${client}`, account: 'default', clientId: client };
  const data = await readDashboardPage(
    { pool: reader.pool, charts, readiness, missedNights, onFailure: (name) => failures.push(name) },
    { page, scope, period, audience: 'agency' },
  );
  return { page: data, failures };
}

const told = (one: ChartData | undefined) => [
  one?.state,
  one?.missing,
  one !== undefined && one.rows.length > 0,
];

it('shows the others where one failed', async () => {
  const broken: Chart = { ...rankTrend, name: 'no-such-file' };
  const { page, failures } = await stateOf([broken, rankTrend], nothingKnown);
  expect(told(page.charts['no-such-file'])).toEqual(['failed', [], false]);
  expect(told(page.charts['rank-trend'])).toEqual(['ready', [], true]);
  expect(failures).toEqual(['no-such-file']);
});

it('names the fields that are not mapped, also beside figures', async () => {
  const { page } = await stateOf([rankTrend], unmapped);
  expect(told(page.charts['rank-trend'])).toEqual(['not_mapped', ['rank_now.score'], true]);
  const none = await stateOf([rankTrend], unmapped, 'nobody');
  expect(told(none.page.charts['rank-trend'])).toEqual(['not_mapped', ['rank_now.score'], false]);
});

it('says that there is no data where nothing is unmapped', async () => {
  const { page } = await stateOf([rankTrend], nothingKnown, 'nobody');
  expect(told(page.charts['rank-trend'])).toEqual(['no_data', [], false]);
});

it('holds no connection while it waits for what is ready, which is read by them too', async () => {
  const all = async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, () => reader.pool.connect()));
    for (const client of clients) client.release();
    return undefined;
  };
  const { page } = await stateOf([rankTrend], { now: () => undefined, wait: all }, 'nobody');
  expect(told(page.charts['rank-trend'])).toEqual(['no_data', [], false]);
}, 20_000);

it('tells of events that cannot be read, and shows the figures without them', async () => {
  await database.pool.query('alter view bi.events rename to events_away');
  try {
    const { page, failures } = await stateOf([rankTrend], nothingKnown);
    expect([failures, page.markers, page.charts['rank-trend']?.state]).toEqual([['markers'], [], 'ready']);
  } finally {
    await database.pool.query('alter view bi.events_away rename to events');
  }
});

it.each(pageNames)('reads the page %s of the years 0 to 9999', async (name) => {
  const all = { from: '0000-01-01', to: '9999-12-31' };
  const { page, failures } = await stateOf(charts, nothingKnown, '', name, all);
  expect(failures).toEqual([]);
  expect(Object.values(page.charts).some(({ rows }) => rows.length > 0)).toBe(true);
});
