// How far the data of a page is, where some of it stopped coming and where a client left.
import { beforeAll, expect, it } from 'vitest';
import type { RunDate } from '../../src/core/run-date.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { actions } from '../../src/reporting/dashboard/charts/business.ts';
import { rankTrend } from '../../src/reporting/dashboard/charts/client.ts';
import type { PageData } from '../../src/reporting/dashboard/page/page-data.ts';
import {
  type PageSource,
  readDashboardPage,
} from '../../src/reporting/dashboard/read/read-dashboard-page.ts';
import { planSlices } from '../../src/store/slices/slices.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const [first, second] = ['2026-03-01', '2026-03-02'] as const;

async function publishDate(runDate: string, clientIds: readonly string[]): Promise<void> {
  const list = clientIds.map((id) => ({ id, nombre: id === 'c1' ? 'Uno' : 'Dos', pais: 'ES' }));
  await publishRecords(database.db, { stream: 'clientes', runDate, records: list });
  for (const clientId of clientIds) {
    const point = { metodo: 'v2', comparable: true, puntuacion: 40, fecha: runDate };
    await publishRecords(database.db, { stream: 'airank', clientId, runDate, records: [point], key: [] });
  }
}

beforeAll(async () => {
  const { db } = database;
  await publishDate(first, ['c1', 'c2']);
  const records = ['c1', 'c2'].map((cliente) => ({ id: cliente, cliente, titulo: 'Do', estado: 'nueva' }));
  await publishRecords(db, { stream: 'actions', runDate: first, records });
  await publishDate(second, ['c1']);
  await planSlices(db, second as RunDate, [{ stream: 'actions', account: 'default', clientId: '' }], 1);
  await database.rows(
    `update sync.slice set status = 'failed' where stream = 'actions' and run_date = '${second}'`,
  );
  await refreshMapping(db);
  await refreshViews(db);
});

async function pageOf(clientId: string, more: Partial<PageSource> = {}): Promise<PageData> {
  const source: PageSource = {
    pool: database.pool,
    charts: [{ ...actions, page: 'client' }, rankTrend],
    readiness: { now: () => undefined, wait: async () => undefined },
    missedNights: async () => undefined,
    onFailure: (_name, error) => {
      throw error;
    },
  };
  const scope = { clientKey: `default/${clientId}`, account: 'default', clientId };
  const period = { from: '2026-02-01', to: second };
  return await readDashboardPage(
    { ...source, ...more },
    { page: 'client', scope, period, audience: 'agency' },
  );
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
