// Which paths come near one that is not there, and what columns gain by a mapping.
import { expect, test } from 'vitest';
import { combine, known } from '../../src/db/code/origin.ts';
import { columnChanges, shareOf } from '../../src/publish/map-file/dry-run.ts';
import { nearestPaths } from '../../src/publish/map-file/nearest-paths.ts';

test('the nearest paths are those that are spelt alike, as they are written below the rows', () => {
  const record = { resultado: { total: 1 }, tono: 'x', zzzz: 1, list: [{ precio: 1, moneda: 'EUR' }] };
  const sample = [{ record, envelope: { generado: '2026-01-01', meta: { divisa: 'EUR' } } }];
  const near = (wanted: string, rowsPath?: string, isRows = false) =>
    nearestPaths(sample, wanted, { rowsPath, isRows });
  expect(near('resultado.totl')).toEqual(['resultado.total']);
  expect(near('total')[0]).toBe('resultado.total');
  expect(near('precios', 'list')).toEqual(['precio']);
  expect(near('tonos', 'list')[0]).toBe('^tono');
  expect(near('lst', undefined, true)).toEqual(['list']);
  expect(near('divisa')).toEqual(['^^meta.divisa']);
  expect(near('^^generada')).toEqual(['^^generado']);
  expect(near('divisa', undefined, true)).toEqual([]);
  expect(near('qqqqqqqq')).toEqual([]);
});

test('a column is filled as its fields are together', () => {
  const field = (one: string) => ({ kind: 'field', source: 's', field: one }) as const;
  const of = (_: string, one: string) => ({ a: 0.4, b: 0.8 })[one];
  expect(shareOf(combine('all', [field('a'), field('b'), known]), of)).toBe(0.4);
  expect(shareOf(combine('any', [field('a'), field('b')]), of)).toBe(0.8);
  expect(shareOf(combine('each', [field('a'), field('b')]), of)).toBeCloseTo(0.6);
  expect(shareOf(combine('any', [field('a'), field('never synced')]), of)).toBe(0.4);
  expect(shareOf(field('never synced'), of)).toBeUndefined();
});

test('only columns that change are told', () => {
  const field = (one: string) => ({ kind: 'field', source: 's', field: one }) as const;
  const views = [
    {
      view: 'bi.v',
      columns: [
        { name: 'a', comment: '', origin: field('a') },
        { name: 'b', comment: '', origin: field('b') },
      ],
    },
  ];
  const now = () => 0.5;
  const after = (_: string, one: string) => (one === 'a' ? 0.9 : 0.502);
  expect(columnChanges(views, now, after)).toEqual([{ view: 'bi.v', column: 'a', now: 0.5, after: 0.9 }]);
});
