// Fields that stand beside a list, once for all of its records: read by date, and no row is written because of them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { readMapping } from '../../src/mapping/mapping-rows.ts';
import { airank, type Said } from '../support/fake-terminal.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { type ServedWorld, serveWorld } from '../worlds/serve-world.ts';
import type { World } from '../worlds/table.ts';

const currencies = ['EUR', 'USD', 'USD'];

const world: World = {
  name: 'beside',
  listKeys: { clientes: 'clientes' },
  truth: {},
  body: (route, query, day) => {
    const generado = `2026-03-0${day + 1}T06:00:00Z`;
    switch (route) {
      case 'clientes':
        return { clientes: [{ id: 'c1', nombre: 'Casa' }] };
      case 'products':
        return query.get('cliente') === 'c1'
          ? {
              moneda: currencies[day],
              generado,
              productos: [
                { id: 'p1', nombre: 'Silla', precio: 10 },
                { id: 'p2', nombre: 'Mesa', precio: day === 2 ? 99 : 20 },
              ],
            }
          : { generado, productos: [] };
      case 'visibility/history':
        return query.get('cliente') === 'c1'
          ? {
              metodo: day === 2 ? 'v2' : 'v1',
              generado,
              puntos: [{ fecha: '2026-02-01', puntuacion: 61, comparable: true }],
            }
          : undefined;
      default:
        return undefined;
    }
  },
};

let database: TestDatabase;
let db: Executor;
let served: ServedWorld;
let cwd: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  served = await serveWorld(world);
  cwd = await mkdtemp(join(tmpdir(), 'airank-beside-'));
});

afterAll(async () => {
  await served.close();
  await rm(cwd, { recursive: true });
  await database.drop();
});

const rows = async (text: string) => (await database.pool.query<Record<string, unknown>>(text)).rows;
const run = async (...args: string[]): Promise<Said> =>
  await airank(args, { cwd, env: { DATABASE_URL: database.url } });

async function sync(runDate: string): Promise<void> {
  const streams = ['clientes', 'products', 'visibility_history'];
  await syncOnce({ pool: database.pool, url: served.baseUrl, runDate, streams, everyClient: true });
  served.nextDay();
}

/** Reads where each row is stored and which transaction wrote it, so that a needless rewrite shows. */
const written = (table: string) =>
  rows(`select ctid::text, xmin::text from ${table} where slice_client_id = 'c1' order by 1`);

const daily = () =>
  rows(
    `select run_date, product_id, currency_code as currency, price_amount as price
     from bi_history.products order by run_date, product_id`,
  );

it('shows the currency of each date, found without a hand, and writes no row when it changes', async () => {
  // A dashboard holds the views while the first slice is published, which does not wait for it.
  const dashboard = await database.pool.connect();
  await dashboard.query('begin');
  await dashboard.query('select from bi.products');
  const syncing = sync('2026-03-01');
  try {
    await expect
      .poll(() => rows(`select status from sync.slice where stream = 'products' and client_id = 'c1'`), {
        timeout: 4_000,
      })
      .toEqual([{ status: 'complete' }]);
  } finally {
    await dashboard.query('rollback');
    dashboard.release();
  }
  await syncing;
  const path = (await readMapping(db)).find(
    ({ source, field }) => `${source}.${field}` === 'products.currency',
  );
  expect(path).toMatchObject({ path: '^^moneda', origin: 'found', filled: '1', read: '1' });
  expect(await rows('select currency_code from bi.products')).toEqual([
    { currency_code: 'EUR' },
    { currency_code: 'EUR' },
  ]);
  const tables = ['typed.products', 'typed.visibility_history', 'typed.rank_point'];
  const before = await Promise.all(tables.map(written));
  await sync('2026-03-02');
  expect(await Promise.all(tables.map(written))).toEqual(before);
  expect(await daily()).toEqual([
    { run_date: '2026-03-01', product_id: 'p1', currency: 'EUR', price: '10' },
    { run_date: '2026-03-01', product_id: 'p2', currency: 'EUR', price: '20' },
    { run_date: '2026-03-02', product_id: 'p1', currency: 'USD', price: '10' },
    { run_date: '2026-03-02', product_id: 'p2', currency: 'USD', price: '20' },
  ]);
  expect(await rows('select distinct currency_code from bi.products')).toEqual([{ currency_code: 'USD' }]);
});

it('gives points of the rank their method, and writes them only when it changes', async () => {
  const trend = async () => await rows('select date, method, score from bi.rank_trend');
  // A history's method may be that of its newest point, so somebody says it.
  expect(await trend()).toEqual([]);
  expect(await run('map', 'visibility_history.method', '^^metodo')).toMatchObject({ exitCode: 0 });
  expect(await trend()).toEqual([{ date: '2026-02-01', method: 'v1', score: '61' }]);
  const [typed, points] = [await written('typed.visibility_history'), await written('typed.rank_point')];
  await sync('2026-03-03');
  expect(await trend()).toEqual([{ date: '2026-02-01', method: 'v2', score: '61' }]);
  expect(await written('typed.visibility_history')).toEqual(typed);
  expect(await written('typed.rank_point')).not.toEqual(points);
});

it('a version that ended says what stood beside it on its last date', async () => {
  expect(
    await rows(
      `select record_key, from_date, until, currency, price from bi_map.products_version order by record_key, from_date`,
    ),
  ).toEqual([
    { record_key: 'p1', from_date: '2026-03-01', until: 'infinity', currency: 'USD', price: '10' },
    { record_key: 'p2', from_date: '2026-03-01', until: '2026-03-03', currency: 'USD', price: '20' },
    { record_key: 'p2', from_date: '2026-03-03', until: 'infinity', currency: 'USD', price: '99' },
  ]);
});

it('a command says where a field is beside the list, and what is not there is refused', async () => {
  const refused = await run('map', 'products.updated', '^^generada');
  expect(refused).toMatchObject({ exitCode: 2 });
  expect(refused.stderr).toContain('^^generado');
  expect(await run('map', 'products.updated', '^^generado')).toMatchObject({ exitCode: 0 });
  expect(
    await rows(`select distinct run_date, updated_date, currency_code from bi_history.products order by 1`),
  ).toEqual([
    { run_date: '2026-03-01', updated_date: '2026-03-01', currency_code: 'EUR' },
    { run_date: '2026-03-02', updated_date: '2026-03-02', currency_code: 'USD' },
    { run_date: '2026-03-03', updated_date: '2026-03-03', currency_code: 'USD' },
  ]);
  const shown = (await run('map', 'products.updated')).stdout.replaceAll(/\s+/g, ' ');
  expect(shown).toContain('(date) set by airank map; 100 % filled');
});

it('goes when the mapping no longer says so', async () => {
  expect(await run('map', 'products.currency', '--none')).toMatchObject({ exitCode: 0 });
  expect(await run('map', 'products.updated', '--none')).toMatchObject({ exitCode: 0 });
  expect(await rows(`select distinct currency_code from bi_history.products`)).toEqual([
    { currency_code: null },
  ]);
  const [view] = await rows(`select pg_get_viewdef('bi_map.products_daily') as text`);
  expect(view?.['text']).not.toContain('envelope');
});
