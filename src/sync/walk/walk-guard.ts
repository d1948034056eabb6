// Watches the pages of one walk: does it still bring something new, and does it end? Pure.
import { type ErrorPlace, ValidationError } from '../../core/errors.ts';

/** A walk ends after this many pages in a row without anything new. */
export const mostStalePages = 3;
/** A walk ends after this many empty pages in a row that name a next one. */
const mostEmptyPages = 10;
const limitFactor = 10;
const limitMargin = 100;

export interface GuardedWalk {
  readonly route: string;
  readonly place: ErrorPlace;
  readonly lastFullPages: number;
  readonly firstWalkLimit: number;
  readonly isLimitLifted: boolean;
  /** True if the walk begins at the first page; a resumed one does not know the pages before. */
  readonly isWhole: boolean;
}

export class WalkGuard {
  readonly #walk: GuardedWalk;
  readonly #seen = new Set<number>();
  #repeats = 0;
  #stalePages = 0;
  #emptyPages = 0;
  /** Up to this page, stale-looking pages were checked and held something new. */
  #trustedUntil = 0;

  constructor(walk: GuardedWalk) {
    this.#walk = walk;
  }

  /** Records that seem to have come on an earlier page as well; undefined if unknown. */
  get repeats(): number | undefined {
    return this.#walk.isWhole ? this.#repeats : undefined;
  }

  /**
   * Notes a page. `stale`: the last pages seem to hold nothing new; check them against the stored pages.
   * @throws ValidationError when the walk has no end
   */
  note(pageNo: number, records: readonly unknown[], hasNext: boolean): 'fine' | 'stale' {
    const { lastFullPages, firstWalkLimit, isLimitLifted } = this.#walk;
    const limit = lastFullPages > 0 ? limitFactor * lastFullPages + limitMargin : firstWalkLimit;
    if (!isLimitLifted && pageNo > limit) throw this.#tooMany(limit);
    this.#emptyPages = records.length === 0 && hasNext ? this.#emptyPages + 1 : 0;
    if (this.#emptyPages >= mostEmptyPages) throw this.#loop(`${mostEmptyPages} empty pages in a row`);
    if (records.length === 0) return 'fine';
    const prints = records.map(fingerprint);
    const known = prints.filter((print) => this.#seen.has(print)).length;
    for (const print of prints) this.#seen.add(print);
    this.#repeats += known;
    this.#stalePages = known === prints.length ? this.#stalePages + 1 : 0;
    return this.#stalePages >= mostStalePages && pageNo >= this.#trustedUntil ? 'stale' : 'fine';
  }

  staleError(): ValidationError {
    return this.#loop(`${mostStalePages} pages in a row without a new record`);
  }

  /** Trusts pages that hold something new; the next check comes after as many pages again. */
  trust(pageNo: number): void {
    this.#stalePages = 0;
    this.#trustedUntil = pageNo * 2;
  }

  #loop(got: string): ValidationError {
    const { route, place } = this.#walk;
    return new ValidationError(
      `GET ${route}: pagination loop. Expected every page to have new records, got ${got}. ` +
        'Nothing was published. The service has to fix its pagination; it is asked once more on this run date',
      { rule: 'loop' },
      place,
    );
  }

  #tooMany(limit: number): ValidationError {
    const { route, place, lastFullPages } = this.#walk;
    const why =
      lastFullPages > 0
        ? `ten times those of the last full refresh (${lastFullPages}) plus 100`
        : 'because no earlier sync shows how many there are';
    return new ValidationError(
      `GET ${route}: pagination loop. Expected at most ${limit} pages, ${why}, got more. Nothing was published. ` +
        'If there really are that many, the next run date loads them',
      { rule: 'page_limit' },
      place,
    );
  }
}

/** Number of values compared; records that differ only in later ones look the same. */
const mostValues = 6;
const mostCharacters = 40;

/**
 * Gives equal records the same 53-bit number (FNV-1a twice). Different ones may share it, as it is only a hint. With 32
 * bits, a hundred thousand records nearly always had two that did, and the database compared them all.
 */
function fingerprint(record: unknown): number {
  const hasFields = typeof record === 'object' && record !== null;
  const fields = (hasFields ? record : { '': String(record) }) as Readonly<Record<string, unknown>>;
  let low = 0x811c9dc5;
  let high = 0x811c9dc5;
  let values = 0;
  for (const name in fields) {
    const value = fields[name];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const text = String(value);
    low = Math.imul(low ^ text.length, 0x01000193);
    high = Math.imul(high ^ text.length, 0x5bd1e995);
    for (const byte of Buffer.from(text.slice(0, mostCharacters))) {
      low = Math.imul(low ^ byte, 0x01000193);
      high = Math.imul(high ^ byte, 0x5bd1e995);
    }
    values += 1;
    if (values === mostValues) break;
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
