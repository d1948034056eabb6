import { describe, expect, it } from 'vitest';
import { SeenTypes, typesSeenOn } from '../../src/store/fields/seen-types.ts';

/** Shows each page to one walk; which of them were new? */
function shown(...pages: readonly string[]): boolean[] {
  const seen = new SeenTypes();
  return pages.map((text) => seen.areNew(JSON.parse(text) as unknown[], text));
}

describe('a page of a walk is new', () => {
  it('when it is the first, and not when it repeats what came before', () => {
    const page = '[{"id":1,"a":"x","b":[{"c":null}]}]';
    expect(shown(page, page, '[{"id":2,"a":"y"},{"b":[]}]')).toEqual([true, false, false]);
  });

  it.each([
    ['a field', '{"b":1}'],
    ['a fraction where integers were', '{"a":1.5}'],
    ['an integer that JavaScript rounds', '{"a":9007199254740993}'],
    ['a fraction that JavaScript rounds', '{"a":1.00000000000000000001}'],
    ['a null', '{"a":null}'],
    ['a text', '{"a":"1"}'],
    ['an object', '{"a":{}}'],
    ['a list', '{"a":[]}'],
  ])('when it holds %s', (_what, record) => {
    expect(shown('[{"a":1}]', `[{"a":1},${record}]`)).toEqual([true, true]);
  });

  it.each([
    ['date', '2026-02-28', '2026-02-30'],
    ['date', '2024-02-29', '2023-02-29'],
    ['timestamp', '2026-02-28T10:00:00Z', '2026-02-28T24:00:00Z'],
    ['timestamp', '2026-02-28 10:00', '2026-02-30 10:00'],
    ['text', 'x', ''],
    ['text', 'x', '2026-02-28'],
  ])('when a %s such as %j is followed by %j', (_type, known, other) => {
    const pages = [known, known, other].map((value) => JSON.stringify([value]));
    expect(shown(...pages)).toEqual([true, false, true]);
  });

  it('when the odd one is in a list of objects, or comes last', () => {
    const plain = '[{"l":[{"a":1}]}]';
    expect(shown(plain, '[{"l":[{"a":1}]},{"l":[{"a":1},{"a":true}]}]')).toEqual([true, true]);
  });

  it('when its keys are data, for ever', () => {
    const pages = Array.from({ length: 60 }, (_page, i) =>
      JSON.stringify(Array.from({ length: 100 }, (_record, j) => ({ [`k${i * 100 + j}`]: 1 }))),
    );
    expect(shown(...pages).every(Boolean)).toBe(true);
  });
});

describe('a walk of a stream of which others were published', () => {
  const page = (from: number, count: number, more = {}) =>
    JSON.stringify(Array.from({ length: count }, (_, i) => ({ id: from + i, a: 'x', ...more })));
  const walk = (known: SeenTypes, text: string, envelope?: object) => {
    const seen = new SeenTypes(known);
    const isNew = seen.areNew(JSON.parse(text) as unknown[], text, envelope);
    return { seen, isNew };
  };

  it('shows nothing new where they showed it all, once they showed ten records', () => {
    const known = new SeenTypes();
    const first = walk(known, page(0, 6), { total: 6 });
    const second = walk(known, page(6, 6), { total: 6 });
    expect([first.isNew, second.isNew]).toEqual([true, true]);
    known.add(first.seen);
    const third = walk(known, page(12, 6), { total: 6 });
    expect(third.isNew).toBe(true);
    known.add(second.seen);
    expect(walk(known, page(18, 6), { total: 6 }).isNew).toBe(false);
  });

  it('is new for a field, a type or an envelope that they had not', () => {
    const known = new SeenTypes();
    known.add(walk(known, page(0, 40), { total: 40 }).seen);
    const isNew = (more: object, envelope: object) => walk(known, page(40, 2, more), envelope).isNew;
    expect([isNew({ b: 1 }, { total: 2 }), isNew({ a: 1 }, { total: 2 })]).toEqual([true, true]);
    expect([isNew({}, { total: '2' }), isNew({}, { total: 2, nota: null })]).toEqual([true, true]);
    expect(isNew({}, { total: 2 })).toBe(false);
  });

  it('that was not published has shown nothing', () => {
    const known = new SeenTypes();
    walk(known, page(0, 40));
    expect(walk(known, page(40, 40)).isNew).toBe(true);
  });

  it('is known in all accounts of a warehouse, and on the next run date in none', () => {
    const warehouse = {};
    const on = (date: string, stream = 'crawl') => typesSeenOn(warehouse, date, stream);
    on('2026-01-01').add(walk(on('2026-01-01'), page(0, 40)).seen);
    expect(walk(on('2026-01-01'), page(40, 1)).isNew).toBe(false);
    expect(walk(on('2026-01-01', 'citations'), page(40, 1)).isNew).toBe(true);
    expect(walk(typesSeenOn({}, '2026-01-01', 'crawl'), page(40, 1)).isNew).toBe(true);
    expect(walk(on('2026-01-02'), page(40, 1)).isNew).toBe(true);
  });
});
