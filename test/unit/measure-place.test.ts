// How a place is filled and read in a sample of records.
import { expect, test } from 'vitest';
import { type LogicalType, logical, rowsField } from '../../src/mapping/logical/logical-source.ts';
import { measureMapping } from '../../src/mapping/matching/measure-place.ts';

type Fields = Record<string, readonly [LogicalType, string]>;
const fields = { n: ['numeric', 'n'], t: ['text', 't'], d: ['date', 'd'] } satisfies Fields;
const plain = logical('plain', 'stream', fields);
const withRows = logical('with_rows', 'stream', fields, { rows: 'list' });

function measured(records: readonly unknown[], field: string, path: string) {
  const sample = records.map((record) => ({ record }));
  return measureMapping(plain, sample, [{ field, path }]).get(field);
}

test('filled is the share of records with a value, read the share of values that fit the type', () => {
  const records = [{ a: { b: 1 } }, { a: { b: 'many' } }, { a: { b: '' } }, { a: null }];
  expect(measured(records, 'n', 'a.b')).toEqual({ filled: 0.5, read: 0.5 });
  expect(measured(records, 't', 'a.b')).toEqual({ filled: 0.5, read: 1 });
  expect(measured(records, 'n', 'a.c')).toEqual({ filled: 0, read: 0 });
});

test('readers say how values are read', () => {
  const records = [{ d: '03/04/2026', n: '1.234' }];
  expect(measured(records, 'd', 'd')?.read).toBe(0);
  expect(measured(records, 'd', 'd | dmy')?.read).toBe(1);
  expect(measured(records, 'n', 'n')?.read).toBe(0);
  expect(measured(records, 'n', 'n | comma')?.read).toBe(1);
});

test('positions, every element, and readers of lists are followed', () => {
  const records = [{ l: [{ v: 1 }, { v: 'x' }] }, { l: [] }];
  expect(measured(records, 'n', 'l[0].v')).toEqual({ filled: 0.5, read: 1 });
  expect(measured(records, 'n', 'l[-1].v')).toEqual({ filled: 0.5, read: 0 });
  expect(measured(records, 'n', 'l[].v | count')).toEqual({ filled: 0.5, read: 1 });
  expect(measured(records, 'n', 'l[].v | last')).toEqual({ filled: 0.5, read: 0 });
  expect(measured(records, 't', 'l[].v')).toEqual({ filled: 0.5, read: 1 });
});

test('where elements or entries are the rows, shares are of them', () => {
  const shares = (rows: string, record: unknown, field: string, path: string) => {
    const places = [
      { field: rowsField, path: rows },
      { field, path },
    ];
    return measureMapping(withRows, [{ record }, { record: {} }], places);
  };
  const record = { of: 'x', list: [{ n: 1 }, { n: null }], map: { one: { n: 1 }, two: { n: 2 } } };
  expect(shares('list', record, 'n', 'n').get('n')).toEqual({ filled: 0.5, read: 1 });
  expect(shares('list', record, 't', '^of').get('t')).toEqual({ filled: 1, read: 1 });
  expect(shares('list', record, 't', 'of').get('t')).toEqual({ filled: 0, read: 0 });
  expect(shares('map.*', record, 't', '@key').get('t')).toEqual({ filled: 1, read: 1 });
  expect(shares('list', record, 't', '@key').get('t')).toEqual({ filled: 0, read: 0 });
  expect(shares('list', record, 'n', 'n').get(rowsField)).toEqual({ filled: 0.5, read: 1 });
  expect(shares('nothing', record, 'n', 'n').get(rowsField)).toEqual({ filled: 0, read: 1 });
});

test('a word that says that there is no number is no value that is misread', () => {
  const records = [{ n: 5 }, { n: 'not_available' }, { n: 'No disponible' }, { n: 7 }];
  expect(measured(records, 'n', 'n')).toEqual({ filled: 0.5, read: 1 });
  expect(measured(records, 't', 'n')).toEqual({ filled: 1, read: 1 });
});

test('what stands beside the list is there for each of its rows', () => {
  const envelope = { meta: { d: '03/04/2026' }, list: 'x' };
  const sample = [{ record: { list: [{ n: 1 }, { n: 2 }] }, envelope }, { record: { list: [{ n: 3 }] } }];
  const shares = (path: string) =>
    measureMapping(withRows, sample, [
      { field: rowsField, path: 'list' },
      { field: 'd', path },
    ]).get('d');
  expect(shares('^^meta.d | dmy')).toEqual({ filled: 2 / 3, read: 1 });
  expect(shares('^^meta.d')).toEqual({ filled: 2 / 3, read: 0 });
  expect(shares('^meta.d')).toEqual({ filled: 0, read: 0 });
});
