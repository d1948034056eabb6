// Whether the stored pages of a slice are all pages of its walk. Pure.
import { plural } from '../../core/text.ts';

/** What the stored pages of a slice are: a chain to its last page, its head, or one record each. */
export type Pages = 'chain' | 'head' | 'single';

export interface StoredPages {
  readonly count: number;
  /** The highest page number; 0: no page. Pages are numbered from 1. */
  readonly last: number;
  /** Pages that name no next one. */
  readonly ends: number;
  /** The page with the highest number names no next one. */
  readonly atEnd: boolean;
}

/** A walk that is not whole must never be published: missing records would look as if they were gone. */
export function isWholeWalk(pages: Pages, { count, last, ends, atEnd }: StoredPages): boolean {
  if (count !== last) return false;
  switch (pages) {
    case 'chain':
      return atEnd && ends === 1;
    case 'head':
      return count > 0 && ends === 0;
    case 'single':
      return true;
  }
}

/** What is wrong with a walk that is not whole, and what to do. */
export function gapText(pages: Pages, { count, last }: StoredPages): string {
  const expected = pages === 'chain' ? 'every page up to the last' : 'its pages without a gap';
  return (
    `Expected ${expected} to be stored, got ${plural(count, 'page')} up to number ${last}; ` +
    'nothing was published. Run: airank sync --again'
  );
}
