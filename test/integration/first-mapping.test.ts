// The first mapping of a source, shown by several publishes that found it unmapped.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import { showFirstMapping } from '../../src/publish/tables/install-map-views.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { useDatabase } from '../support/test-database.ts';
import { type ServedWorld, serveWorld } from '../worlds/serve-world.ts';

const database = useDatabase();
let served: ServedWorld;

beforeAll(async () => {
  served = await serveWorld({
    listKeys: { clientes: 'clientes' },
    body: (route) => {
      if (route === 'clientes') return { clientes: [{ id: 'c1', nombre: 'Casa' }] };
      return route === 'products'
        ? { moneda: 'EUR', productos: [{ id: 'p1', nombre: 'Silla', precio: 10 }] }
        : undefined;
    },
  });
  const streams = ['clientes', 'products'];
  await syncOnce({ pool: database.pool, url: served.baseUrl, runDate: '2026-03-01', streams });
});

afterAll(async () => {
  await served.close();
});

it('publishes that found a source unmapped show its mapping one after the other', async () => {
  const products = logicalSources.find(({ name }) => name === 'products');
  if (products === undefined) throw new Error('Expected a source products');
  await database.db
    .updateTable('sync.code')
    .set({ hash: '' })
    .where('name', 'like', 'bi_map.products%')
    .execute();
  const dashboard = await database.pool.connect();
  await dashboard.query('begin');
  await dashboard.query('select from bi_map.products_daily');
  const shown = Promise.allSettled([
    showFirstMapping(database.db, products),
    showFirstMapping(database.db, products),
  ]);
  const waiting = `select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and not l.granted`;
  await expect.poll(async () => (await database.pool.query(waiting)).rowCount, { timeout: 4_000 }).toBe(2);
  await dashboard.query('rollback');
  dashboard.release();
  expect((await shown).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
});
