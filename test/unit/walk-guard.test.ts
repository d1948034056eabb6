// Whether a walk still brings something new, and whether it ends.
import { describe, expect, it } from 'vitest';
import { ValidationError } from '../../src/core/errors.ts';
import { type GuardedWalk, WalkGuard } from '../../src/sync/walk/walk-guard.ts';

const guard = (more: Partial<GuardedWalk> = {}) =>
  new WalkGuard({
    ...{ route: 'citas', place: {}, lastFullPages: 0, firstWalkLimit: 2_000 },
    ...{ isLimitLifted: false, isWhole: true },
    ...more,
  });
const page = (from: number, size = 3) =>
  Array.from({ length: size }, (_, index) => ({ id: from + index, v: 'x' }));

function errorOf(work: () => unknown): ValidationError | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof ValidationError) return error;
  }
  return undefined;
}

describe('pages without anything new', () => {
  it('look stale at the third in a row, wherever their records came before', () => {
    const walk = guard();
    expect(walk.note(1, page(1, 9), true)).toBe('fine');
    expect(walk.note(2, page(4), true)).toBe('fine');
    expect(walk.note(3, page(1), true)).toBe('fine');
    expect(walk.note(4, page(7), true)).toBe('stale');
    expect(walk.staleError().details.rule).toBe('loop');
  });

  it('are counted anew after a page with one new record', () => {
    const walk = guard();
    walk.note(1, page(1), true);
    for (const [pageNo, from] of [2, 3].entries()) walk.note(pageNo + 2, page(1 + from * 0), true);
    expect(walk.note(4, [...page(1), { id: 99 }], true)).toBe('fine');
    expect(walk.note(5, page(1), true)).toBe('fine');
    expect(walk.note(6, page(1), true)).toBe('fine');
    expect(walk.note(7, page(1), true)).toBe('stale');
  });

  it('that did hold something new are not looked at again before twice as many pages', () => {
    const walk = guard();
    for (let pageNo = 1; pageNo <= 3; pageNo += 1) walk.note(pageNo, [{}], true);
    expect(walk.note(4, [{}], true)).toBe('stale');
    walk.trust(4);
    expect([5, 6, 7].map((pageNo) => walk.note(pageNo, [{}], true))).toEqual(['fine', 'fine', 'fine']);
    expect(walk.note(8, [{}], true)).toBe('stale');
  });

  it('are counted across empty ones', () => {
    const walk = guard();
    walk.note(1, page(1), true);
    walk.note(2, page(1), true);
    walk.note(3, page(1), true);
    expect(walk.note(4, [], true)).toBe('fine');
    expect(walk.note(5, page(1), true)).toBe('stale');
  });

  it('are not the empty ones, which have a limit of their own', () => {
    const walk = guard();
    expect([1, 2, 3, 4, 5].map((pageNo) => walk.note(pageNo, [], true))).toEqual(Array(5).fill('fine'));
    expect(walk.repeats).toBe(0);
  });

  it('end the walk with what was expected and what came', () => {
    const error = guard({ place: { account: 'a', route: 'citas' } }).staleError();
    expect(error.place).toEqual({ account: 'a', route: 'citas' });
    expect(error.message).toBe(
      'GET citas: pagination loop. Expected every page to have new records, got 3 pages in a row without a new record. ' +
        'Nothing was published. The service has to fix its pagination; it is asked once more on this run date',
    );
  });

  it.each([
    ['numbers', 1, 2],
    ['texts', 'a', 'b'],
    ['texts of other lengths', 'x'.repeat(50), 'x'.repeat(51)],
    ['fields', { id: 1 }, { id: 2 }],
    ['later fields', { a: 'x', b: 1 }, { a: 'x', b: 2 }],
    ['the sixth value', [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 7]],
    ['the sixth value after others', [true, null, 1, 2, 3, 4, 5, 6], [true, null, 1, 2, 3, 4, 5, 7]],
    ['the beginning of a text', `${'x'.repeat(39)}a${'x'.repeat(9)}`, `${'x'.repeat(39)}b${'x'.repeat(9)}`],
    ['nothing', null, {}],
    ['truth', true, false],
    ['values in another order', { a: 'x', b: 'y' }, { a: 'y', b: 'x' }],
  ])('are told from others: %s', (_name, one, other) => {
    const walk = guard();
    walk.note(1, [one], true);
    walk.note(2, [other], true);
    expect(walk.repeats).toBe(0);
    walk.note(3, [one], true);
    expect(walk.repeats).toBe(1);
  });

  it.each([
    ['differ in the seventh value', [1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 8]],
    ['differ past the beginning of a text', `${'x'.repeat(40)}a`, `${'x'.repeat(40)}b`],
    ['differ in what is neither text nor number', { id: 1, a: true, b: {} }, { id: 1, a: null, b: [2] }],
    ['have other names for the same values', { a: 'x' }, { b: 'x' }],
    ['write a number as a text', { id: 12 }, { id: '12' }],
  ])('look alike where records %s', (_name, one, other) => {
    const walk = guard();
    walk.note(1, [one], true);
    walk.note(2, [other], true);
    expect(walk.repeats).toBe(1);
  });
});

describe('repeats', () => {
  it('are none among hundreds of thousands of records that differ', () => {
    const walk = guard({ isLimitLifted: true });
    const text = (id: number) => `valor ${((id * 2_654_435_761) % 4_294_967_291) / 10}`;
    for (let pageNo = 1; pageNo <= 1_500; pageNo += 1) {
      const records = page(pageNo * 200, 200).map(({ id }) => ({ id, motor: `m-${id % 5}`, v: text(id) }));
      walk.note(pageNo, records, true);
    }
    expect(walk.repeats).toBe(0);
  });

  it('count records of earlier pages, not of the same one', () => {
    const walk = guard();
    walk.note(1, [...page(1), ...page(1)], true);
    expect(walk.repeats).toBe(0);
    walk.note(2, page(3), true);
    expect(walk.repeats).toBe(1);
  });

  it('are told apart for as many records as there are', () => {
    const walk = guard();
    for (let pageNo = 0; pageNo < 50; pageNo += 1) walk.note(pageNo + 1, page(pageNo * 200, 200), true);
    expect(walk.repeats).toBe(0);
    walk.note(51, page(0, 200), true);
    expect(walk.repeats).toBe(200);
  });

  it('are unknown for a walk that goes on after a stop', () => {
    expect(guard({ isWhole: false }).repeats).toBeUndefined();
  });
});

describe('a walk without an end', () => {
  it('is one with ten empty pages in a row that name a next one', () => {
    const walk = guard();
    for (let pageNo = 1; pageNo <= 9; pageNo += 1) walk.note(pageNo, [], true);
    walk.note(10, page(1), true);
    for (let pageNo = 11; pageNo <= 19; pageNo += 1) walk.note(pageNo, [], true);
    const error = errorOf(() => walk.note(20, [], true));
    expect(error?.details.rule).toBe('loop');
    expect(error?.message).toContain('to have new records, got 10 empty pages in a row. Nothing was pub');
    const ended = guard();
    for (let pageNo = 1; pageNo <= 9; pageNo += 1) ended.note(pageNo, [], true);
    expect(ended.note(10, [], false)).toBe('fine');
  });

  it('is one with more than ten times the pages of the last full refresh and 100', () => {
    const walk = guard({ lastFullPages: 2 });
    expect(walk.note(120, page(1), true)).toBe('fine');
    const error = errorOf(() => walk.note(121, page(9), true));
    expect(error?.details.rule).toBe('page_limit');
    expect(error?.message).toBe(
      'GET citas: pagination loop. Expected at most 120 pages, ten times those of the last full refresh (2) plus 100, ' +
        'got more. Nothing was published. If there really are that many, the next run date loads them',
    );
  });

  it('is reported with where it happened', () => {
    const place = { account: 'a', route: 'citas' };
    expect(errorOf(() => guard({ place }).note(2_001, page(1), true))?.place).toEqual(place);
  });

  it('is a first one with more pages than a first walk may have, unless the server is believed', () => {
    expect(guard().note(2_000, page(1), true)).toBe('fine');
    const error = errorOf(() => guard().note(2_001, page(1), true));
    expect(error?.details.rule).toBe('page_limit');
    expect(error?.message).toContain('at most 2000 pages, because no earlier sync shows how many there are');
    expect(guard({ isLimitLifted: true }).note(5_000, page(1), true)).toBe('fine');
    expect(guard({ lastFullPages: 2, isLimitLifted: true }).note(5_000, page(1), true)).toBe('fine');
  });
});
