// Publishing part of a walk would close every record that the part lacks.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gapText, isWholeWalk, type Pages, type StoredPages } from '../../src/store/slices/walk-history.ts';

interface Page {
  readonly pageNo: number;
  readonly isEnd: boolean;
}

/** Returns what the database says of these pages. */
function stored(pages: readonly Page[]): StoredPages {
  const newest = pages.reduce<Page | undefined>((a, b) => (a && a.pageNo > b.pageNo ? a : b), undefined);
  const ends = pages.filter(({ isEnd }) => isEnd).length;
  return { count: pages.length, last: newest?.pageNo ?? 0, ends, atEnd: newest?.isEnd ?? false };
}

/** Pages 1 to `count` as a walk to the end stores them. */
const chain = (count: number): Page[] =>
  Array.from({ length: count }, (_, index) => ({ pageNo: index + 1, isEnd: index === count - 1 }));
const withoutEnd = (pages: readonly Page[]) => pages.map(({ pageNo }) => ({ pageNo, isEnd: false }));
const isWhole = (pages: Pages, rows: readonly Page[]) => isWholeWalk(pages, stored(rows));

describe('a chain of pages', () => {
  it('is whole with every page up to the one that names no next', () => {
    expect(isWhole('chain', chain(1))).toBe(true);
    expect(isWhole('chain', chain(7))).toBe(true);
  });

  it('is not whole without any one of its pages, the last included', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(), (count, at) => {
        const rows = chain(count);
        rows.splice(at % count, 1);
        expect(isWhole('chain', rows)).toBe(false);
      }),
    );
  });

  it('is not whole while its newest page names a next one', () => {
    expect(isWhole('chain', withoutEnd(chain(3)))).toBe(false);
    const endInTheMiddle = chain(3).map(({ pageNo }) => ({ pageNo, isEnd: pageNo === 2 }));
    expect(isWhole('chain', endInTheMiddle)).toBe(false);
  });

  it('is not whole with two ends: pages of two walks were stored', () => {
    const rows = chain(4).map((page) => ({ ...page, isEnd: page.isEnd || page.pageNo === 2 }));
    expect(isWhole('chain', rows)).toBe(false);
  });
});

describe('the first pages of an archive', () => {
  it('is whole without an end, from the first page on', () => {
    expect(isWhole('incremental', withoutEnd(chain(3)))).toBe(true);
    expect(isWhole('incremental', withoutEnd(chain(3).slice(1)))).toBe(false);
  });

  it('is not whole without a page, nor with an end, which makes it a full refresh', () => {
    expect(isWhole('incremental', [])).toBe(false);
    expect(isWhole('incremental', chain(3))).toBe(false);
  });
});

it('one record a request is whole without a gap, whatever the answers name as next, and also with no request to make', () => {
  expect(isWhole('single', [])).toBe(true);
  expect(isWhole('single', chain(3))).toBe(true);
  const ends = chain(3).map(({ pageNo }) => ({ pageNo, isEnd: true }));
  expect(isWhole('single', ends)).toBe(true);
  expect(isWhole('single', chain(3).slice(1))).toBe(false);
});

it('says what was expected, what is stored, and what to do', () => {
  const rows = chain(5).slice(2);
  expect(gapText('chain', stored(rows))).toBe(
    'Expected every page up to the last to be stored, got 3 pages up to number 5; nothing was published. Run: airank sync --again',
  );
  for (const pages of ['incremental', 'single'] as const) {
    const text = /^Expected its pages without a gap to be stored, got 3 pages/;
    expect(gapText(pages, stored(rows))).toMatch(text);
  }
});
