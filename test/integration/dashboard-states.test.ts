// A page tells apart what is not mapped, what has no data and what failed, and shows the rest.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunDate } from '../../src/core/run-date.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { actions } from '../../src/reporting/dashboard/charts/business.ts';
import { charts } from '../../src/reporting/dashboard/charts/catalog.ts';
import {
  type Chart,
  type ChartData,
  type PageName,
  pageNames,
} from '../../src/reporting/dashboard/charts/chart.ts';
import { rankTrend } from '../../src/reporting/dashboard/charts/client.ts';
import type { PageData } from '../../src/reporting/dashboard/page/page-data.ts';
import {
  type PageSource,
  readDashboardPage,
} from '../../src/reporting/dashboard/read/read-dashboard-page.ts';
import type { KnownReadiness } from '../../src/reporting/dashboard/read/read-overview.ts';
import { openReader, type Reader } from '../../src/reporting/reader/open-reader.ts';
import { planSlices } from '../../src/store/slices/slices.ts';
import { publishRecords } from '../support/publish-records.ts';
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
const nothingKnown: KnownReadiness = { now: () => undefined, wait: async () => undefined };

const source = (pool: PageSource['pool'], charts: readonly Chart[], more: Partial<PageSource> = {}) => ({
  ...{
    pool,
    charts,
    readiness: nothingKnown,
    missedNights: async () => undefined,
    onFailure: () => undefined,
  },
  ...more,
});
const march = { from: '2026-02-01', to: '2026-03-02' };

async function stateOf(
  charts: readonly Chart[],
  readiness: KnownReadiness,
  client = clientId,
  page: PageName = 'client',
  period = march,
) {
  const failures: string[] = [];
  const onFailure = (name: string) => failures.push(name);
  const scope = { clientKey: `default/${client}`, account: 'default', clientId: client };
  const data = await readDashboardPage(source(reader.pool, charts, { readiness, onFailure }), {
    ...{ page, scope, period, audience: 'agency' },
  });
  return { page: data, failures };
}

const told = (one: ChartData | undefined) => [
  one?.state,
  one?.missing,
  one !== undefined && one.rows.length > 0,
];

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

describe('how far the data of a page is', () => {
  const own = useDatabase();
  const [first, second] = ['2026-03-01', '2026-03-02'] as const;

  async function publishDate(runDate: string, clientIds: readonly string[]): Promise<void> {
    const list = clientIds.map((id) => ({ id, nombre: id === 'c1' ? 'Uno' : 'Dos', pais: 'ES' }));
    await publishRecords(own.db, { stream: 'clientes', runDate, records: list });
    for (const clientId of clientIds) {
      const point = { metodo: 'v2', comparable: true, puntuacion: 40, fecha: runDate };
      await publishRecords(own.db, { stream: 'airank', clientId, runDate, records: [point], key: [] });
    }
  }

  beforeAll(async () => {
    const { db } = own;
    await publishDate(first, ['c1', 'c2']);
    const records = ['c1', 'c2'].map((cliente) => ({ id: cliente, cliente, titulo: 'Do', estado: 'nueva' }));
    await publishRecords(db, { stream: 'actions', runDate: first, records });
    await publishDate(second, ['c1']);
    await planSlices(db, second as RunDate, [{ stream: 'actions', account: 'default', clientId: '' }], 1);
    await own.rows(
      `update sync.slice set status = 'failed' where stream = 'actions' and run_date = '${second}'`,
    );
    await refreshMapping(db);
    await refreshViews(db);
  });

  async function pageOf(clientId: string, more: Partial<PageSource> = {}): Promise<PageData> {
    const scope = { clientKey: `default/${clientId}`, account: 'default', clientId };
    const charts = [{ ...actions, page: 'client' } as const, rankTrend];
    return await readDashboardPage(source(own.pool, charts, more), {
      ...{ page: 'client', scope, period: march, audience: 'agency' },
    });
  }

  it.each([
    ['a client is told of a list of the account that failed, beside its own slices', 'c1', second, 2, 1],
    ['a client that left has its own slices as they were, and none of the account', 'c2', first, 1, 0],
    ['a client that left is not counted for the account', '', second, 2, 1],
  ])('%s', async (_, clientId, newest, upToDate, failed) => {
    const { freshness } = await pageOf(clientId);
    expect(freshness).toEqual({ newest, upToDate, failed, stale: 0, neverSynced: 0, missed: null });
  });

  it('each chart says the date of its own rows', async () => {
    const { charts } = await pageOf('c1');
    expect([charts.actions?.asOf, charts['rank-trend']?.asOf]).toEqual([first, second]);
    expect(charts.actions?.rows.length).toBe(1);
  });

  it('missed nights that cannot be read are said, and the page is shown without them', async () => {
    const failures: string[] = [];
    const { freshness } = await pageOf('c1', {
      missedNights: () => Promise.reject(new Error('no such column')),
      onFailure: (name) => failures.push(name),
    });
    expect([freshness.missed, freshness.newest, failures]).toEqual([null, second, ['missed nights']]);
  });
});
