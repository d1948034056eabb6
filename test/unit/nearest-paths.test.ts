// Finds the paths that come near one that is not there.
import { expect, test } from 'vitest';
import { nearestPaths } from '../../src/mapping/matching/nearest-paths.ts';

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
