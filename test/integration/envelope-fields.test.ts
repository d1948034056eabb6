import { afterAll, beforeAll, expect, it } from 'vitest';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import { readMapping } from '../../src/mapping/mapping-rows.ts';
import { showFirstMapping } from '../../src/publish/tables/install-map-views.ts';
import { airank, type Said } from '../support/fake-terminal.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';
import { type ServedWorld, serveWorld } from '../worlds/serve-world.ts';
import type { World } from '../worlds/table.ts';

const currencies = ['EUR', 'USD', 'USD'];

const world: World = {
  name: 'beside',
  listKeys: { clientes: 'clientes' },
  truth: {},
  body: (route, query, day) => {
    if (route === 'clientes') return { clientes: [{ id: 'c1', nombre: 'Casa' }] };
    const generado = `2026-03-0${day + 1}T06:00:00Z`;
    const isOfClient = query.get('cliente') === 'c1';
    if (route === 'products') {
      const mesa = { id: 'p2', nombre: 'Mesa', precio: day === 2 ? 99 : 20 };
      const productos = isOfClient ? [{ id: 'p1', nombre: 'Silla', precio: 10 }, mesa] : [];
      return { generado, productos, ...(isOfClient ? { moneda: currencies[day] } : {}) };
    }
    if (route !== 'visibility/history' || !isOfClient) return undefined;
    const puntos = [{ fecha: '2026-02-01', puntuacion: 61, comparable: true }];
    return { metodo: day === 2 ? 'v2' : 'v1', generado, puntos };
  },
};

const database = useDatabase();
const cwd = oneFolder();
let served: ServedWorld;

beforeAll(async () => {
  served = await serveWorld(world);
});

afterAll(async () => {
  await served.close();
});

const { lines } = database;
const run = async (...args: string[]): Promise<Said> =>
  await airank(args, { cwd, env: { DATABASE_URL: database.url } });

async function sync(runDate: string): Promise<void> {
  const streams = ['clientes', 'products', 'visibility_history'];
  await syncOnce({ pool: database.pool, url: served.baseUrl, runDate, streams, everyClient: true });
  served.nextDay();
}

/** Reads where each row is stored and which transaction wrote it, so that a needless rewrite shows. */
const written = (table: string) =>
  lines(`select ctid::text, xmin::text from ${table} where slice_client_id = 'c1' order by 1`);

const currenciesOf = () => lines('select distinct currency_code from bi.products');

it('shows the currency of each date, found without a hand, and writes no row when it changes', async () => {
  // A dashboard holds the views while the first slice is published, which does not wait for it.
  const dashboard = await database.pool.connect();
  await dashboard.query('begin');
  await dashboard.query('select from bi.products');
  const syncing = sync('2026-03-01');
  try {
    await expect
      .poll(() => lines(`select status from sync.slice where stream = 'products' and client_id = 'c1'`), {
        timeout: 4_000,
      })
      .toEqual(['complete']);
  } finally {
    await dashboard.query('rollback');
    dashboard.release();
  }
  await syncing;
  const path = (await readMapping(database.db)).find(
    ({ source, field }) => `${source}.${field}` === 'products.currency',
  );
  expect(path).toMatchObject({ path: '^^moneda', origin: 'found', filled: '1', read: '1' });
  expect(await currenciesOf()).toEqual(['EUR']);
  const tables = ['typed.products', 'typed.visibility_history', 'typed.rank_point'];
  const before = await Promise.all(tables.map(written));
  await sync('2026-03-02');
  expect(await Promise.all(tables.map(written))).toEqual(before);
  expect(
    await lines(
      'select run_date, product_id, currency_code, price_amount from bi_history.products order by 1, 2',
    ),
  ).toEqual(['2026-03-01 p1 EUR 10', '2026-03-01 p2 EUR 20', '2026-03-02 p1 USD 10', '2026-03-02 p2 USD 20']);
  expect(await currenciesOf()).toEqual(['USD']);
});

it('publishes that found a source unmapped show its mapping one after the other', async () => {
  const products = logicalSources.find(({ name }) => name === 'products');
  if (products === undefined) throw new Error('Expected a source products');
  await database.rows(`update sync.code set hash = '' where name like 'bi_map.products%'`);
  const dashboard = await database.pool.connect();
  await dashboard.query('begin; select from bi_map.products_daily');
  const shown = Promise.allSettled([1, 2].map(() => showFirstMapping(database.db, products)));
  const waiting = `select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and not l.granted`;
  try {
    await expect.poll(async () => (await database.rows(waiting)).length, { timeout: 4_000 }).toBe(2);
  } finally {
    await dashboard.query('rollback');
    dashboard.release();
  }
  expect((await shown).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
});

it('gives points of the rank their method, and writes them only when it changes', async () => {
  const trend = () => lines('select date, method, score from bi.rank_trend');
  // A history's method may be that of its newest point, so somebody says it.
  expect(await trend()).toEqual([]);
  expect(await run('map', 'visibility_history.method', '^^metodo')).toMatchObject({ exitCode: 0 });
  expect(await trend()).toEqual(['2026-02-01 v1 61']);
  const [typed, points] = [await written('typed.visibility_history'), await written('typed.rank_point')];
  await sync('2026-03-03');
  expect(await trend()).toEqual(['2026-02-01 v2 61']);
  expect(await written('typed.visibility_history')).toEqual(typed);
  expect(await written('typed.rank_point')).not.toEqual(points);
});

it('a version that ended says what stood beside it on its last date', async () => {
  expect(
    await lines(
      `select record_key, from_date, until, currency, price from bi_map.products_version order by record_key, from_date`,
    ),
  ).toEqual([
    'p1 2026-03-01 infinity USD 10',
    'p2 2026-03-01 2026-03-03 USD 20',
    'p2 2026-03-03 infinity USD 99',
  ]);
});

it('a command says where a field is beside the list, and what is not there is refused', async () => {
  const refused = await run('map', 'products.updated', '^^generada');
  expect(refused).toMatchObject({ exitCode: 2 });
  expect(refused.stderr).toContain('^^generado');
  expect(await run('map', 'products.updated', '^^generado')).toMatchObject({ exitCode: 0 });
  expect(
    await lines('select distinct run_date, updated_date, currency_code from bi_history.products order by 1'),
  ).toEqual(['2026-03-01 2026-03-01 EUR', '2026-03-02 2026-03-02 USD', '2026-03-03 2026-03-03 USD']);
  const shown = (await run('map', 'products.updated')).stdout.replaceAll(/\s+/g, ' ');
  expect(shown).toContain('(date) set by airank map; 100 % filled');
});

it('goes when the mapping no longer says so', async () => {
  expect(await run('map', 'products.currency', '--none')).toMatchObject({ exitCode: 0 });
  expect(await run('map', 'products.updated', '--none')).toMatchObject({ exitCode: 0 });
  expect(await lines('select distinct currency_code from bi_history.products')).toEqual(['-']);
  const [view] = await lines(`select pg_get_viewdef('bi_map.products_daily')`);
  expect(view).not.toContain('envelope');
});
