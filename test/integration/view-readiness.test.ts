// Checks what is said of views when streams have names of their own, were never synced, or hold nothing.
import { expect, test } from 'vitest';
import { catalogue } from '../../src/db/code/catalogue.ts';
import { fieldsOf } from '../../src/db/code/origin.ts';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { readFieldStates } from '../../src/status/field-states.ts';
import {
  findViewsWithRows,
  type Lack,
  type Readiness,
  readReadiness,
  type ViewReadiness,
} from '../../src/status/view-readiness.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

const runDate = '2026-03-01';
const publish = (stream: string, records: readonly object[], more = {}) =>
  publishRecords(database.db, { stream, clientId: '7', runDate, records, ...more });

/** The views that show something of a source, beside the names of clients. */
function viewsOf(source: string, readiness: Readiness): ViewReadiness[] {
  const names = catalogue()
    .filter(({ columns }) =>
      columns.some(({ origin }) => fieldsOf(origin).some((one) => one.source === source)),
    )
    .map(({ name }) => `bi.${name}`);
  return readiness.lacking.filter(({ view }) => names.includes(view));
}

const fieldsOfWhy = (view: ViewReadiness | undefined, why: Lack['why']) =>
  view?.lacks.flatMap((lack) => (lack.why === why ? [lack.field] : []));

/** A configuration in which every field of a source is where its own name is. */
const mappingOf = (source: string, except: readonly string[] = []) =>
  Object.fromEntries(
    Object.keys(logicalSources.find(({ name }) => name === source)?.fields ?? {})
      .filter((field) => field !== 'client' && !except.includes(field))
      .map((field) => [`${source}.${field}`, `own_${field}`]),
  );

/** Something that a field can be read from. */
function exampleOf(field: string): unknown {
  const [name = '', member = ''] = field.split('.');
  const type = logicalSources.find((one) => one.name === name)?.fields[member]?.type;
  return { date: runDate, timestamptz: `${runDate}T08:00:00Z`, numeric: 1, score: 1 }[String(type)] ?? 'x';
}

test('without data every view over records is empty, because nothing was synced', async () => {
  const readiness = await readReadiness(database.db);
  const never = expect.objectContaining({ stream: 'triggers', why: 'never_synced' });
  expect(viewsOf('triggers', readiness)[0]?.lacks).toContainEqual(never);
  expect(readiness.lacking.every((view) => !view.has_rows)).toBe(true);
  expect(readiness.with_rows + readiness.lacking.length).toBe(readiness.count);
});

test('columns lack fields with odd names, a stream that was never synced leaves views empty, and others lack nothing', async () => {
  await publish('clientes', [{ id: '7', nombre: 'Casa' }], { clientId: '' });
  const odd = { id: '1', own_title: 'Lamp', zz: 12, qqq: 'x', fecha: '03/04/2026' };
  await publish('products', [odd]);
  const trigger = Object.fromEntries(
    Object.entries(mappingOf('triggers')).map(([field, path]) => [path, exampleOf(field)]),
  );
  await publish('triggers', [{ id: '1', ...trigger }]);
  await publish('prediccion', []);
  await refreshMapping(database.db, { 'products.title': 'own_title', ...mappingOf('triggers') });

  const readiness = await readReadiness(database.db);
  const first = readiness.lacking.find(({ view }) => view === 'bi.products');
  expect(first?.has_rows).toBe(true);
  // A date that could be two is asked; a price is not there.
  const updated = { column: 'updated_date', shows: 'nothing', field: 'products.updated', stream: 'products' };
  expect(first?.lacks).toContainEqual({ ...updated, why: 'not_found' });
  expect(fieldsOfWhy(first, 'absent')).toContain('products.price');
  expect(first?.lacks.map(({ field }) => field)).not.toContain('products.title');
  expect(viewsOf('triggers', readiness)).toEqual([]);
  const [revenue] = viewsOf('revenue', readiness);
  expect(revenue?.has_rows).toBe(false);
  const reasons = new Set(revenue?.lacks.map(({ stream, why }) => `${stream} ${why}`));
  expect([...reasons]).toEqual(['revenue never_synced']);
  const [predictions] = viewsOf('predictions', readiness);
  expect(predictions?.has_rows).toBe(false);
  expect(fieldsOfWhy(predictions, 'no_records')).toContain('predictions.score');
});

test('a field that is said to be nowhere is not missed', async () => {
  const rest = Object.fromEntries(
    Object.keys(mappingOf('products', ['title'])).map((field) => [field, null]),
  );
  await refreshMapping(database.db, { 'products.title': 'own_title', ...rest, ...mappingOf('triggers') });
  const { lacking } = await readReadiness(database.db);
  expect(lacking.map(({ view }) => view)).not.toContain('bi.products');
});

test('a field that is mapped to what no record has reads nothing', async () => {
  await refreshMapping(database.db, { 'products.title': 'elsewhere', ...mappingOf('triggers') });
  const [products] = viewsOf('products', await readReadiness(database.db));
  expect(fieldsOfWhy(products, 'not_found')).toContain('products.title');
});

test('a list of rows that is not found is named, and not its stream', async () => {
  await publish('prediccion', [{ id: '1', own_list: [{ a: 1 }] }], { runDate: '2026-03-02' });
  const [predictions] = viewsOf('predictions', await readReadiness(database.db));
  expect(predictions?.has_rows).toBe(false);
  const own = predictions?.lacks.filter(({ stream }) => stream === 'prediccion');
  const reasons = new Set(own?.map(({ field, why }) => `${field} ${why}`));
  expect([...reasons]).toEqual(['predictions.(rows) not_found']);
});

test('a slice that failed or waits, and a route that is not there, are the reasons', async () => {
  const slice = (stream: string, status: string) =>
    database.pool.query(
      `insert into sync.slice (stream, account, client_id, run_date, status) values ($1, 'default', '7', $2, $3)`,
      [stream, runDate, status],
    );
  await slice('revenue', 'failed');
  await slice('crawl', 'deferred');
  await slice('shopping', 'unavailable');
  const readiness = await readReadiness(database.db);
  const why = async (source: string) => viewsOf(source, readiness)[0]?.lacks[0]?.why;
  expect(await why('revenue')).toBe('failed');
  expect(await why('crawl')).toBe('waiting');
  expect(await why('merchants')).toBe('unavailable');
});

test('a view that takes long to read is not empty, and the session is left as it was', async () => {
  await database.pool.query(`create view bi.of_this_test as select 1 as x where pg_sleep(20) is null`);
  const before = await database.pool.query('show statement_timeout');
  const found = await findViewsWithRows(database.db, [{ view: 'bi.of_this_test', columns: ['x'] }]);
  expect(await database.pool.query('show statement_timeout')).toMatchObject({ rows: before.rows });
  await database.pool.query('drop view bi.of_this_test');
  expect([...found]).toEqual(['bi.of_this_test']);
});

test('a field of which too few values can be read is read partly', async () => {
  await refreshMapping(database.db, { 'products.title': 'own_title', 'products.url': null });
  expect((await readFieldStates(database.db)).get('products.url')).toBe('none');
  const state = async (filled: number | null, read: number | null) => {
    await database.pool.query(
      `update sync.mapping set filled = $1, read = $2 where source = 'products' and field = 'title'`,
      [filled, read],
    );
    return (await readFieldStates(database.db)).get('products.title');
  };
  expect(await state(null, null)).toBe('read');
  expect(await state(1, 0.8)).toBe('read');
  expect(await state(1, 0.79)).toBe('partly');
  expect(await state(1, 0)).toBe('nothing');
  expect(await state(0, null)).toBe('nothing');
  expect((await readFieldStates(database.db)).get('products.price')).toBe('absent');
});
