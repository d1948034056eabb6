import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Column, childArrays, newColumns, type SeenField } from '../../src/publish/views/view-sql.ts';
import * as names from '../../src/store/fields/names.ts';

describe('a column type', () => {
  it.each([
    [['boolean'], 'boolean'],
    [['integer'], 'bigint'],
    [['integer', 'number'], 'numeric'],
    [['date'], 'date'],
    [['timestamp'], 'timestamptz'],
    [['date', 'timestamp'], 'text'],
    [['boolean', 'integer'], 'text'],
    [['text', 'array'], 'jsonb'],
  ] as [names.ValueType[], string][])('for %j is %s', (seen, type) => {
    expect(names.columnTypeFor(seen)).toBe(type);
  });

  it('is added only for values that no published column holds', () => {
    expect(names.missingColumnType(['integer', 'number'], ['bigint'])).toBe('numeric');
    expect(names.missingColumnType(['integer', 'text'], ['text'])).toBeUndefined();
    expect(names.missingColumnType(['integer', 'number', 'text'], ['bigint', 'numeric'])).toBe('text');
  });
});

describe('a name', () => {
  it.each([
    ['precioIA', 'precio_ia'],
    ['HTTPStatus', 'http_status'],
    ['menciones por 100', 'menciones_por_100'],
    ['año', 'año'],
    ['7d', '_7d'],
    ['', 'field'],
    ['***', 'field'],
    ['_id', 'id'],
  ])('from %j is %j', (given, name) => {
    expect(names.snakeCase(given)).toBe(name);
  });

  it('of a field does not shadow the columns that every view has', () => {
    expect(names.columnName(['account'])).toBe('api_account');
    expect(names.columnName(['Run Date'])).toBe('api_run_date');
  });

  it('has at most 63 bytes and no half character, whatever the keys', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 }), fc.string(), (path, taken) => {
        const name = names.columnName(path, 'numeric');
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
        expect(Buffer.from(name).toString()).toBe(name);
        const free = names.freeName(name, taken, new Set([name]));
        expect(Buffer.byteLength(free)).toBeLessThanOrEqual(63);
        expect(free).not.toBe(name);
      }),
    );
  });
});

const field = (path: string[], ...types: string[]): SeenField => ({ path, types });

describe('the columns of a view', () => {
  it('flatten objects and keep arrays and maps as jsonb', () => {
    const fields = [
      ...[field([], 'object'), field(['a'], 'object'), field(['a', 'b'], 'integer', 'null')],
      ...[field(['lista'], 'array'), field(['lista', '[]'], 'object'), field(['lista', '[]', 'x'], 'text')],
      ...[field(['por_dia'], 'object', 'map'), field(['solo_null'], 'null', 'empty')],
    ];
    const columns = newColumns(fields, [], []).map(({ name, type }) => `${name} ${type}`);
    expect(columns).toEqual(['a__b bigint', 'lista jsonb', 'por_dia jsonb']);
    expect(childArrays(fields)).toEqual([['lista']]);
    expect(newColumns(fields, ['lista'], [])).toEqual([{ path: ['x'], name: 'x', type: 'text' }]);
  });

  it('that collide keep apart by a mark that comes from the path', () => {
    const both = newColumns([field(['a_b'], 'text'), field(['aB'], 'text')], [], []);
    expect(both.map((column) => column.name)).toEqual(['a_b', expect.stringMatching(/^a_b_[0-9a-f]{6}$/)]);
    const [first] = both;
    if (first === undefined) throw new Error('no column');
    const later = newColumns([field(['a_b'], 'text'), field(['aB'], 'text')], [], [first]);
    expect(later).toEqual(both.slice(1));
  });

  it('are only ever appended, each name once, whatever is seen and in whatever order', () => {
    const types = 'null empty boolean integer number date timestamp text object array map'.split(' ');
    const step = fc.constantFrom('a', 'A', 'a_b', 'aB', '[]', 'run_date', '');
    const seen = fc.record({
      path: fc.array(step, { maxLength: 4 }),
      types: fc.uniqueArray(fc.constantFrom(...types), { minLength: 1 }),
    });
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(seen, { selector: (one) => JSON.stringify(one.path) }), { maxLength: 4 }),
        (batches) => {
          let published: Column[] = [];
          const all = new Map<string, SeenField>();
          for (const batch of batches) {
            for (const one of batch) {
              const key = JSON.stringify(one.path);
              const types = new Set([...(all.get(key)?.types ?? []), ...one.types]);
              all.set(key, { path: one.path, types: [...types] });
            }
            published = [...published, ...newColumns([...all.values()], [], published)];
            expect(new Set(published.map((column) => column.name)).size).toBe(published.length);
            expect(newColumns([...all.values()], [], published)).toEqual([]);
          }
        },
      ),
    );
  });
});
