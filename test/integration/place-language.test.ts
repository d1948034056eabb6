// Every form of a path: what SQL reads by it, and what is in typed rows and views after a publish. Values of each type:
// read-twins.
import { beforeEach, describe, expect, it } from 'vitest';
import { mapField, parseFieldPlace } from '../../src/mapping/change-mapping.ts';
import type { LogicalType } from '../../src/mapping/logical/logical-source.ts';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import { parsePlace } from '../../src/mapping/logical/place.ts';
import { readSql } from '../../src/mapping/logical/read-sql.ts';
import { measureMapping } from '../../src/mapping/matching/measure-place.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

/** A run date of its own for each publish. */
let runDate = '';
let day = 0;
beforeEach(() => {
  day += 1;
  runDate = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
});

async function map(source: string, paths: Readonly<Record<string, string | null>>): Promise<void> {
  for (const [field, path] of Object.entries(paths)) {
    await mapField(database.db, parseFieldPlace(`${source}.${field}`), path);
  }
  await refreshMapping(database.db);
}

async function rowsOf(source: string, columns: string): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `select ${columns} from typed.${source} where until = 'infinity' order by record_key, row_no`,
  );
  return rows;
}

const values: readonly (readonly [type: LogicalType, path: string, record: object, read: string | null])[] = [
  ['text', 'ficha.nombre', { ficha: { nombre: 'Silla' } }, 'Silla'],
  ['text', '"ficha.nombre"."a \\"b\\""', { 'ficha.nombre': { 'a "b"': 'Silla' } }, 'Silla'],
  ['text', 'nombres[0]', { nombres: ['Silla', 'Mesa'] }, 'Silla'],
  ['text', 'nombres[-1].es', { nombres: [{ es: 'Silla' }, { es: 'Mesa' }] }, 'Mesa'],
  ['text', 'nombres[5]', { nombres: ['Silla'] }, null],
  ['text', 'nombres.0', { nombres: ['Silla'] }, null],
  ['text', 'nombres.0', { nombres: { '0': 'Silla' } }, 'Silla'],
  ['text', 'etiquetas[]', { etiquetas: ['a', { nombre: 'b' }, null, 'c'] }, 'a, b, c'],
  [
    'text',
    'grupos[].etiquetas[].n',
    { grupos: [{ etiquetas: [{ n: 'a' }, { n: 'b' }] }, {}, { etiquetas: [{ n: 'c' }] }] },
    'a, b, c',
  ],
  ['text', 'etiquetas[] | last', { etiquetas: ['a', 'b', null] }, 'b'],
  ['numeric', 'serie[].v | first', { serie: [{}, { v: 3 }, { v: 4 }] }, '3'],
  ['numeric', 'serie | count', { serie: [{}, null, 4] }, '2'],
  ['numeric', 'serie | count', { serie: 'x' }, null],
  ['numeric', 'serie[].v | sum | comma', { serie: [{ v: '1.234,5' }, { v: 1 }, {}] }, '1235.5'],
  ['numeric', 'precio | comma', { precio: '1.234' }, '1234'],
  ['boolean', 'medido', { medido: 'Activa' }, 'true'],
  ['date', 'fecha | dmy', { fecha: '03/04/2026' }, '2026-04-03'],
  ['date', 'fechas[] | last | dmy', { fechas: ['01/02/2026', '03/04/2026'] }, '2026-04-03'],
];

it('a field of a record is read by any path', async () => {
  for (const [type, path, record, read] of values) {
    const value = readSql(type, parsePlace(path), 'r.payload');
    const text = `select (${value})::text as read from (select $1::jsonb as payload) as r`;
    const { rows } = await database.pool.query(text, [JSON.stringify(record)]);
    expect([path, rows]).toEqual([path, [{ read }]]);
  }
});

const beside: readonly (readonly [field: string, path: string, rest: unknown, read: string | null])[] = [
  ['currency', '^^moneda', { moneda: 'EUR' }, 'EUR'],
  ['currency', '^^"^moneda"', { '^moneda': 'EUR' }, 'EUR'],
  ['currency', '^^meta.monedas[-1]', { meta: { monedas: ['EUR', 'USD'] } }, 'USD'],
  ['currency', '^^monedas[].iso', { monedas: [{ iso: 'EUR' }, { iso: 'USD' }] }, 'EUR, USD'],
  ['currency', '^^moneda', {}, null],
  ['currency', '^^moneda', { moneda: null, otra: 1 }, null],
  ['price', '^^tarifa | comma', { tarifa: '1.234,5' }, '1234.5'],
  ['price', '^^tarifas[].v | sum', { tarifas: [{ v: 1 }, { v: '2,5' }] }, '3.5'],
  ['updated', '^^generado | dmy', { generado: '03/04/2026' }, '2026-04-03'],
];

describe('a field beside the list of its records', () => {
  const products = logicalSources.find(({ name }) => name === 'products');
  if (products === undefined) throw new RangeError('products');

  it.each(beside)('%s from %s of %j is %s, and in no typed row', async (field, path, rest, read) => {
    await map('products', { currency: null, price: null, updated: null, is_measured: null, [field]: path });
    const envelope = rest as Readonly<Record<string, unknown>>;
    const record = { id: 1, moneda: 'GBP', day };
    await publishRecords(database.db, { stream: 'products', runDate, records: [record], rest: envelope });
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
  it.each<[string, Readonly<Record<string, string | null>>, unknown, readonly string[]]>([
    [
      'are the elements of an array, with fields of the record beside them',
      { '(rows)': 'serie.puntos', date: 'f | dmy', score: 'v', method: '^m[0]' },
      { m: ['A'], serie: { puntos: [{ f: '01/02/2026', v: 1 }, { v: 2 }] } },
      ['1 2026-02-01 1 A', '2 - 2 A'],
    ],
    [
      'are the elements of arrays in arrays, numbered through',
      { '(rows)': 'grupos[].puntos', score: 'v' },
      { grupos: [{ puntos: [{ v: 1 }, { v: 2 }] }, { puntos: 'x' }, { puntos: [{ v: 3 }] }] },
      ['1 - 1 -', '2 - 2 -', '3 - 3 -'],
    ],
    [
      'are the entries of a map, with their keys',
      { '(rows)': 'motores.*', score: 'v', method: '@key' },
      { motores: { gemini: { v: '12,5 %' }, chatgpt: { v: 3 } } },
      ['1 - 12.5 gemini', '2 - 3 chatgpt'],
    ],
    [
      'are scalars of a map, whose key is a date',
      { '(rows)': '^por_dia.*', date: '@key', score: '@value | comma' },
      { por_dia: { '2026-01-01': '1.500', '2026-01-02': 2 } },
      ['1 2026-01-01 1500 -', '2 2026-01-02 2 -'],
    ],
    [
      'have no key where they are elements of an array',
      { '(rows)': 'p', score: '@value', method: '@key' },
      { p: [4] },
      ['1 - 4 -'],
    ],
    ['are none where the array is mapped to nothing', { '(rows)': null }, { p: [4] }, []],
  ])('%s', async (_, paths, record, shown) => {
    await map('predictions', { date: null, score: null, method: null, ...paths });
    await publishRecords(database.db, { stream: 'prediccion', runDate, records: [record], key: [] });
    const line = `concat_ws(' ', row_no, coalesce(date::text, '-'), score, coalesce(method, '-')) as line`;
    expect(await rowsOf('predictions', line)).toEqual(shown.map((line) => ({ line })));
  });

  it('have what stands beside the list of their records', async () => {
    await map('predictions', { '(rows)': 'p', date: null, score: 'v', method: '^^modelo' });
    const records = [{ p: [{ v: 1 }, { v: 2 }] }];
    await publishRecords(database.db, {
      stream: 'prediccion',
      runDate,
      records,
      key: [],
      rest: { modelo: 'm7' },
    });
    const { rows } = await database.pool.query(
      'select score, method from bi_map.predictions order by row_no',
    );
    expect(rows).toEqual([
      { score: '1', method: 'm7' },
      { score: '2', method: 'm7' },
    ]);
  });
});
