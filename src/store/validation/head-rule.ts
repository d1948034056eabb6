// Where a walk from the head ends, given which pages held something new or changed. Pure.

/** How far a head walk goes at least, and when it ends. */
export interface HeadRule {
  /** Pages that are always walked. */
  readonly leastPages: number;
  /** Pages in a row without anything new or changed, at which it ends. */
  readonly quietPages: number;
}

/** The page after which a head walk would have ended; `pages` when only at the end. */
export function headEnd(rule: HeadRule, changes: ReadonlyMap<number, number>, pages: number): number {
  let quiet = 0;
  for (let page = 1; page <= pages; page += 1) {
    quiet = (changes.get(page) ?? 0) === 0 ? quiet + 1 : 0;
    if (page >= rule.leastPages && quiet >= rule.quietPages) return page;
  }
  return pages;
}

export interface Depth {
  /** The deepest page with something new or changed; 0: none. */
  readonly depth: number;
  /** Records that a head walk would have missed. */
  readonly late: number;
}

/**
 * What a full walk shows about walks from the head. A vanished record is seen by no head walk, wherever it was.
 */
export function depthOf(
  rule: HeadRule,
  changes: ReadonlyMap<number, number>,
  walk: { readonly pages: number; readonly vanished: number },
): Depth {
  const end = headEnd(rule, changes, walk.pages);
  let depth = walk.vanished > 0 ? walk.pages : 0;
  let late = walk.vanished;
  for (const [page, count] of changes) {
    if (count === 0) continue;
    depth = Math.max(depth, page);
    if (page > end) late += count;
  }
  return { depth, late };
}
