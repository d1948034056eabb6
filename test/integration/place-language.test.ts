// Every form of a path and every reader, from a published page to the typed row.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { mapField, parseFieldPlace } from '../../src/mapping/change-mapping.ts';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import { measureMapping } from '../../src/mapping/matching/measure-place.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
});

afterAll(() => database.drop());

/** A run date of its own for each publish. */
let runDate = '';
let day = 0;
beforeEach(() => {
  day += 1;
  runDate = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
});

async function map(source: string, paths: Readonly<Record<string, string | null>>): Promise<void> {
  for (const [field, path] of Object.entries(paths)) {
    await mapField(db, parseFieldPlace(`${source}.${field}`), path);
  }
  await refreshMapping(db);
}

async function rowsOf(source: string, columns: string): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `select ${columns} from typed.${source} where until = 'infinity' order by record_key, row_no`,
  );
  return rows;
}

const values: readonly (readonly [field: string, path: string, record: unknown, read: string | null])[] = [
  ['title', 'ficha.nombre', { ficha: { nombre: 'Silla' } }, 'Silla'],
  ['title', '"ficha.nombre"."a \\"b\\""', { 'ficha.nombre': { 'a "b"': 'Silla' } }, 'Silla'],
  ['title', 'nombres[0]', { nombres: ['Silla', 'Mesa'] }, 'Silla'],
  ['title', 'nombres[-1].es', { nombres: [{ es: 'Silla' }, { es: 'Mesa' }] }, 'Mesa'],
  ['title', 'nombres[5]', { nombres: ['Silla'] }, null],
  ['title', 'nombres.0', { nombres: ['Silla'] }, null],
  ['title', 'nombres.0', { nombres: { '0': 'Silla' } }, 'Silla'],
  ['title', 'etiquetas[]', { etiquetas: ['a', { nombre: 'b' }, null, 'c'] }, 'a, b, c'],
  [
    'title',
    'grupos[].etiquetas[].n',
    { grupos: [{ etiquetas: [{ n: 'a' }, { n: 'b' }] }, {}, { etiquetas: [{ n: 'c' }] }] },
    'a, b, c',
  ],
  ['title', 'etiquetas[] | last', { etiquetas: ['a', 'b', null] }, 'b'],
  ['price', 'serie[].v | first', { serie: [{}, { v: 3 }, { v: 4 }] }, '3'],
  ['price', 'serie | count', { serie: [{}, null, 4] }, '2'],
  ['price', 'serie | count', { serie: 'x' }, null],
  ['price', 'serie[].v | sum | comma', { serie: [{ v: '1.234,5' }, { v: 1 }, {}] }, '1235.5'],
  ['price', 'precio', { precio: '€ 1.234,50' }, '1234.50'],
  ['price', 'precio', { precio: '1.234' }, null],
  ['price', 'precio | comma', { precio: '1.234' }, '1234'],
  ['price', 'precio | point', { precio: '1.234' }, '1.234'],
  ['price', 'precio | percent', { precio: '12,5 %' }, '0.125'],
  ['is_measured', 'medido', { medido: 'Activa' }, 'true'],
  ['is_measured', 'estados[] | first', { estados: ['inactivo'] }, 'false'],
  ['updated', 'fecha | dmy', { fecha: '03/04/2026' }, '2026-04-03'],
  ['updated', 'fecha | mdy', { fecha: '03/04/2026' }, '2026-03-04'],
  ['updated', 'fecha', { fecha: '03/04/2026' }, null],
  ['updated', 'fecha', { fecha: '3 de abril de 2026' }, '2026-04-03'],
  ['updated', 'fecha', { fecha: 1775174400 }, '2026-04-03'],
  ['updated', 'fechas[] | last | dmy', { fechas: ['01/02/2026', '03/04/2026'] }, '2026-04-03'],
];

describe('a field of a record', () => {
  it.each(values)('%s from %s of %j is %s', async (field, path, record, read) => {
    await map('products', { [field]: path });
    await publishRecords(db, { stream: 'products', runDate, records: [{ id: 1, ...(record as object) }] });
    expect(await rowsOf('products', `${field}::text as read`)).toEqual([{ read }]);
  });

  it('in a table that is filled anew is read as in one that publishing fills', async () => {
    await publishRecords(db, {
      stream: 'products',
      runDate,
      records: [{ id: 1, a: [{ b: '7,5' }], f: '03/04/2026' }],
    });
    await map('products', { price: 'a[].b | sum', updated: 'f | dmy' });
    expect(await rowsOf('products', 'price, updated')).toEqual([{ price: '7.5', updated: '2026-04-03' }]);
  });
});

const beside: typeof values = [
  ['currency', '^^moneda', { moneda: 'EUR' }, 'EUR'],
  ['currency', '^^"^moneda"', { '^moneda': 'EUR' }, 'EUR'],
  ['currency', '^^meta.monedas[-1]', { meta: { monedas: ['EUR', 'USD'] } }, 'USD'],
  ['currency', '^^monedas[].iso', { monedas: [{ iso: 'EUR' }, { iso: 'USD' }] }, 'EUR, USD'],
  ['currency', '^^moneda', {}, null],
  ['currency', '^^moneda', { moneda: null, otra: 1 }, null],
  ['price', '^^tarifa | comma', { tarifa: '1.234,5' }, '1234.5'],
  ['price', '^^tarifas[].v | sum', { tarifas: [{ v: 1 }, { v: '2,5' }] }, '3.5'],
  ['price', '^^tarifa', { tarifa: '1.234' }, null],
  ['updated', '^^generado | dmy', { generado: '03/04/2026' }, '2026-04-03'],
  ['is_measured', '^^medido', { medido: 'sí' }, 'true'],
];

describe('a field beside the list of its records', () => {
  const products = logicalSources.find(({ name }) => name === 'products');
  if (products === undefined) throw new RangeError('products');

  it.each(beside)('%s from %s of %j is %s, and in no typed row', async (field, path, rest, read) => {
    await map('products', { currency: null, price: null, updated: null, is_measured: null, [field]: path });
    const envelope = rest as Readonly<Record<string, unknown>>;
    const record = { id: 1, moneda: 'GBP', day };
    await publishRecords(db, { stream: 'products', runDate, records: [record], rest: envelope });
    expect(await rowsOf('products', `${field}::text as read`)).toEqual([{ read: null }]);
    for (const view of ['products', 'products_daily', 'products_version']) {
      const { rows } = await database.pool.query(
        `select ${field}::text as read from bi_map.${view} where from_date = $1`,
        [runDate],
      );
      expect([view, rows]).toEqual([view, [{ read }]]);
    }
    const shares = measureMapping(products, [{ record, envelope }], [{ field, path }]).get(field);
    expect(shares?.filled === 1 && shares.read === 1).toBe(read !== null);
  });
});

describe('the rows of a record', () => {
  const publish = async (record: unknown) =>
    await publishRecords(db, { stream: 'prediccion', runDate, records: [record], key: [] });
  const columns = 'row_no, date, score, method';

  it('are the elements of an array, with fields of the record beside them', async () => {
    await map('predictions', { '(rows)': 'serie.puntos', date: 'f | dmy', score: 'v', method: '^m[0]' });
    await publish({ m: ['A'], serie: { puntos: [{ f: '01/02/2026', v: 1 }, { v: 2 }] } });
    expect(await rowsOf('predictions', columns)).toEqual([
      { row_no: 1, date: '2026-02-01', score: '1', method: 'A' },
      { row_no: 2, date: null, score: '2', method: 'A' },
    ]);
  });

  it('are the elements of arrays in arrays, numbered through', async () => {
    await map('predictions', { '(rows)': 'grupos[].puntos', date: null, score: 'v', method: null });
    await publish({ grupos: [{ puntos: [{ v: 1 }, { v: 2 }] }, { puntos: 'x' }, { puntos: [{ v: 3 }] }] });
    expect(await rowsOf('predictions', 'row_no, score')).toEqual([
      { row_no: 1, score: '1' },
      { row_no: 2, score: '2' },
      { row_no: 3, score: '3' },
    ]);
  });

  it('are the entries of a map, with their keys', async () => {
    await map('predictions', { '(rows)': 'motores.*', date: null, score: 'v', method: '@key' });
    await publish({ motores: { gemini: { v: '12,5 %' }, chatgpt: { v: 3 } } });
    expect(await rowsOf('predictions', 'score, method')).toEqual([
      { score: '12.5', method: 'gemini' },
      { score: '3', method: 'chatgpt' },
    ]);
  });

  it('are scalars of a map, whose key is a date', async () => {
    await map('predictions', { '(rows)': '^por_dia.*', date: '@key', score: '@value | comma', method: null });
    await publish({ por_dia: { '2026-01-01': '1.500', '2026-01-02': 2 } });
    expect(await rowsOf('predictions', 'date, score')).toEqual([
      { date: '2026-01-01', score: '1500' },
      { date: '2026-01-02', score: '2' },
    ]);
  });

  it('have what stands beside the list of their records', async () => {
    await map('predictions', { '(rows)': 'p', date: null, score: 'v', method: '^^modelo' });
    await publishRecords(db, {
      stream: 'prediccion',
      runDate,
      records: [{ p: [{ v: 1 }, { v: 2 }] }],
      key: [],
      rest: { modelo: 'm7' },
    });
    const { rows } = await database.pool.query(
      'select row_no, score, method from bi_map.predictions order by 1',
    );
    expect(rows).toEqual([
      { row_no: 1, score: '1', method: 'm7' },
      { row_no: 2, score: '2', method: 'm7' },
    ]);
  });

  it('have no key where they are elements of an array', async () => {
    await map('predictions', { '(rows)': 'p', date: null, score: '@value', method: '@key' });
    await publish({ p: [4] });
    expect(await rowsOf('predictions', 'score, method')).toEqual([{ score: '4', method: null }]);
  });

  it('are none where the array is mapped to nothing', async () => {
    await map('predictions', { '(rows)': null });
    await publish({ p: [4] });
    expect(await rowsOf('predictions', columns)).toEqual([]);
  });
});
