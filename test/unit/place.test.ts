import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/core/errors.ts';
import { type Place, parsePlace, printPlace } from '../../src/mapping/logical/place.ts';
import { listReaders } from '../../src/mapping/logical/reader-names.ts';

const name = (text: string) => ({ kind: 'name' as const, name: text });

describe('the text of a place', () => {
  it.each<[string, Partial<Place>]>([
    ['^fecha | dmy', { base: 'record', steps: [name('fecha')], readers: ['dmy'] }],
    ['^^moneda', { base: 'envelope', steps: [name('moneda')] }],
    ['^^"^x"[0]', { base: 'envelope', steps: [name('^x'), { kind: 'index', index: 0 }] }],
    ['serie[-1].valor', { steps: [name('serie'), { kind: 'index', index: -1 }, name('valor')] }],
    [
      'temas[].nombre | join',
      { steps: [name('temas'), { kind: 'each' }, name('nombre')], readers: ['join'] },
    ],
    ['"*"', { steps: [name('*')] }],
    ['@key', { steps: [{ kind: 'key' }] }],
    ['"@key"', { steps: [name('@key')] }],
    ['[0].menciones por 100', { steps: [{ kind: 'index', index: 0 }, name('menciones por 100')] }],
    ['a[] | sum | comma', { steps: [name('a'), { kind: 'each' }], readers: ['sum', 'comma'] }],
  ])('%s is read, and printed as it came', (text, place) => {
    expect(parsePlace(text)).toEqual({ base: 'row', readers: [], ...place });
    expect(printPlace(parsePlace(text))).toBe(text);
  });

  it.each([
    [' a.[0] ', 'a[0]'],
    ['a[]|comma|first', 'a[] | first | comma'],
    ['a.b | count', 'a.b[] | count'],
    ['"a"', 'a'],
    ['a[-0]', 'a[0]'],
  ])('%s has the canonical text %s', (text, canonical) => {
    expect(printPlace(parsePlace(text))).toBe(canonical);
  });

  it.each([
    ['', 'Expected a name at character 1 of the path "", got its end.'],
    ['a..b', 'Expected a name at character 3 of the path "a..b", got ".b".'],
    ['a[x]', 'Expected [], [0], [1] or [-1] at character 2 of the path "a[x]", got "[x]".'],
    ['a. b', 'at character 3 of the path "a. b", got " b". Put the name in quotes: " b"'],
    ['@total', 'Expected @key or @value at character 1 of the path "@total", got @total.'],
    [
      'a | day',
      'Expected one of first, last, join, count, sum, dmy, mdy, comma, point, percent at character 8',
    ],
    ['a |', 'at character 4 of the path "a |", got "". What follows | says how to read it'],
  ])('%j is refused with the place of the fault', (text, message) => {
    expect(() => parsePlace(text)).toThrow(ConfigError);
    expect(() => parsePlace(text)).toThrow(message);
  });

  it('of any place is read as that place', () => {
    const steps = fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }).map(name) },
        fc.constantFrom('a', '.', '[]', '"', '\\', '*', '@key', '^x', '# y', ' z ').map(name),
        fc.integer({ min: -3, max: 3 }).map((index) => ({ kind: 'index' as const, index: index + 0 })),
        fc.constantFrom({ kind: 'each' as const }, { kind: 'entry' as const }),
        fc.constantFrom({ kind: 'key' as const }, { kind: 'value' as const }),
      ),
      { minLength: 1, maxLength: 5 },
    );
    const readers = fc.subarray([...listReaders, 'dmy', 'comma', 'percent'] as const);
    fc.assert(
      fc.property(
        fc.record({ base: fc.constantFrom('row', 'record', 'envelope'), steps, readers }),
        (place) => {
          const isList = place.readers.some((reader) => (listReaders as readonly string[]).includes(reader));
          fc.pre(!isList || place.steps.some(({ kind }) => kind === 'each'));
          expect(parsePlace(printPlace(place))).toEqual(place);
        },
      ),
      { numRuns: 500 },
    );
  });
});
