// How far the data of a page is, where some of it stopped coming and where a client left.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunDate } from '../../src/core/run-date.ts';
import { createDatabase, type Executor } from '../../src/db/database.ts';
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
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

const [first, second] = ['2026-03-01', '2026-03-02'] as const;

async function publishDate(runDate: string, clientIds: readonly string[]): Promise<void> {
  const list = clientIds.map((id) => ({ id, nombre: id === 'c1' ? 'Uno' : 'Dos', pais: 'ES' }));
  await publishRecords(db, { stream: 'clientes', runDate, records: list });
  for (const clientId of clientIds) {
    const point = { metodo: 'v2', comparable: true, puntuacion: 40, fecha: runDate };
    await publishRecords(db, { stream: 'airank', clientId, runDate, records: [point], key: [] });
  }
}

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  await publishDate(first, ['c1', 'c2']);
  const records = ['c1', 'c2'].map((cliente) => ({
    id: `${cliente}-1`,
    cliente,
    titulo: 'Do',
    estado: 'nueva',
  }));
  await publishRecords(db, { stream: 'actions', runDate: first, records });
  await publishDate(second, ['c1']);
  await planSlices(db, second as RunDate, [{ stream: 'actions', account: 'default', clientId: '' }], 1);
  await database.pool.query(
    `update sync.slice set status = 'failed' where stream = 'actions' and run_date = $1`,
    [second],
  );
  await refreshMapping(db);
  await refreshViews(db);
});

afterAll(async () => {
  await database.drop();
});

async function pageOf(clientId: string, more: Partial<PageSource> = {}): Promise<PageData> {
  return await readDashboardPage(
    {
      pool: database.pool,
      charts: [{ ...actions, page: 'client' }, rankTrend],
      readiness: { now: () => undefined, wait: async () => undefined },
      missedNights: async () => undefined,
      onFailure: (_name, error) => {
        throw error;
      },
      ...more,
    },
    {
      page: 'client',
      scope: { clientKey: `default/${clientId}`, account: 'default', clientId },
      period: { from: '2026-02-01', to: second },
      audience: 'agency',
    },
  );
}

describe('where a list of the account failed', () => {
  it('a client is told of it, beside its own slices', async () => {
    const { freshness } = await pageOf('c1');
    expect(freshness).toEqual({
      newest: second,
      upToDate: 2,
      stale: 0,
      failed: 1,
      neverSynced: 0,
      missed: null,
    });
  });

  it('each chart says the date of its own rows', async () => {
    const { charts } = await pageOf('c1');
    expect([charts.actions?.asOf, charts['rank-trend']?.asOf]).toEqual([first, second]);
    expect(charts.actions?.rows.length).toBe(1);
  });
});

describe('missed nights', () => {
  it('are those of the scope and the period of the page', async () => {
    const missed = { dates: [first], streams: ['airank'] };
    const asked: unknown[] = [];
    const missedNights: PageSource['missedNights'] = async (scope) => {
      asked.push(scope);
      return missed;
    };
    expect((await pageOf('c1', { missedNights })).freshness.missed).toEqual(missed);
    expect(asked).toEqual([{ account: 'default', clientId: 'c1', from: '2026-02-01', to: second }]);
  });

  it('that cannot be read are said, and the page is shown without them', async () => {
    const failures: string[] = [];
    const { freshness } = await pageOf('c1', {
      missedNights: () => Promise.reject(new Error('no such column')),
      onFailure: (name) => failures.push(name),
    });
    expect([freshness.missed, freshness.newest, failures]).toEqual([null, second, ['missed nights']]);
  });
});

describe('a client that left', () => {
  it('has its own slices as they were, and none of the account', async () => {
    const { freshness } = await pageOf('c2');
    expect(freshness).toEqual({
      newest: first,
      upToDate: 1,
      stale: 0,
      failed: 0,
      neverSynced: 0,
      missed: null,
    });
  });

  it('is not counted for the account', async () => {
    const { freshness } = await pageOf('');
    expect(freshness).toEqual({
      newest: second,
      upToDate: 2,
      stale: 0,
      failed: 1,
      neverSynced: 0,
      missed: null,
    });
  });
});
