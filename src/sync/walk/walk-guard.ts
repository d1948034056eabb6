// Watches the pages of one walk: whether it still brings something new, and whether it ends. Pure.
import { type ErrorPlace, ValidationError } from '../../core/errors.ts';

/** Pages in a row without anything new that end a walk. */
export const mostStalePages = 3;
/** Empty pages in a row that name a next one, at which a walk ends. */
const mostEmptyPages = 10;
const limitFactor = 10;
const limitMargin = 100;

export interface GuardedWalk {
  readonly route: string;
  readonly place: ErrorPlace;
  /** Pages of the newest full refresh; 0: there was none. */
  readonly lastFullPages: number;
  /** Pages that a walk may have where there was none. */
  readonly firstWalkLimit: number;
  /** It is confirmed that there are far more pages. */
  readonly isLimitLifted: boolean;
  /** The walk begins at the first page; a resumed one does not know what came before. */
  readonly isWhole: boolean;
}

export class WalkGuard {
  readonly #walk: GuardedWalk;
  readonly #seen = new Fingerprints();
  #repeats = 0;
  #stalePages = 0;
  #emptyPages = 0;
  /** Pages before this one looked stale and were checked: they held something new. */
  #trustedUntil = 0;

  constructor(walk: GuardedWalk) {
    this.#walk = walk;
  }

  /** Records that seem to have come on an earlier page of the walk; undefined: not known. */
  get repeats(): number | undefined {
    return this.#walk.isWhole ? this.#repeats : undefined;
  }

  /**
   * Notes a page. `stale`: it seems that the last pages hold nothing new, and the stored pages have to show it.
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

  /** Returns the error of a walk whose stored pages hold nothing new, down to the last. */
  staleError(): ValidationError {
    return this.#loop(`${mostStalePages} pages in a row without anything new`);
  }

  /** Trusts pages that hold something new. The next check comes after as many pages again. */
  trust(pageNo: number): void {
    this.#stalePages = 0;
    this.#trustedUntil = pageNo * 2;
  }

  #loop(got: string): ValidationError {
    const { route, place } = this.#walk;
    return new ValidationError(
      `GET ${route}: pagination loop. Expected each page to bring something new until the last one, got ${got}; ` +
        'nothing was published. The service has to fix its cursors; it is asked once more on this run date',
      { rule: 'loop' },
      place,
    );
  }

  #tooMany(limit: number): ValidationError {
    const { route, place, lastFullPages } = this.#walk;
    const why =
      lastFullPages > 0
        ? `ten times the ${lastFullPages} of the last full refresh and 100`
        : 'as no walk has shown yet how many there are';
    return new ValidationError(
      `GET ${route}: pagination loop. Expected at most ${limit} pages, ${why}, got more; nothing was published. ` +
        'If there really are so many, the next run date takes them',
      { rule: 'page_limit' },
      place,
    );
  }
}

/** Values that are compared; a record that differs only in later values looks like another one. */
const mostValues = 6;
const mostCharacters = 40;

/**
 * Equal records have the same number of 53 bits, made by FNV-1a twice. Different ones may share it too, as it is only a
 * hint; of 32 bits, a hundred thousand records nearly always had two that did, and the database compared them all.
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
    for (let index = 0; index < text.length && index < mostCharacters; index += 1) {
      const code = text.charCodeAt(index);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x5bd1e995);
    }
    values += 1;
    if (values === mostValues) break;
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}

/** A set of numbers in 16 to 32 bytes each: of a million records a third of what a Set takes. */
class Fingerprints {
  #slots = new Float64Array(1_024);
  #size = 0;

  has(print: number): boolean {
    return this.#slots[this.#placeOf(print)] !== 0;
  }

  add(print: number): void {
    const place = this.#placeOf(print);
    if (this.#slots[place] !== 0) return;
    this.#slots[place] = print || 1;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#grow();
  }

  /** Returns the slot of a number, or the free one where it belongs. 0 marks a free slot. */
  #placeOf(print: number): number {
    const wanted = print || 1;
    const mask = this.#slots.length - 1;
    let place = wanted & mask;
    while (this.#slots[place] !== 0 && this.#slots[place] !== wanted) place = (place + 1) & mask;
    return place;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Float64Array(old.length * 2);
    for (const print of old) if (print !== 0) this.#slots[this.#placeOf(print)] = print;
  }
}
