// Numbers that look random and depend on words alone, and the many ways to write a day.

export type Words = readonly (string | number)[];

/** In [0, 1). */
export function chance(...words: Words): number {
  let hash = 0x811c9dc5;
  for (const char of words.join('|')) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

export const isLikely = (share: number, ...words: Words): boolean => chance(...words) < share;

export const whole = (low: number, high: number, ...words: Words): number =>
  low + Math.floor(chance(...words) * (high - low + 1));

export const round = (value: number, digits = 1): number => Number(value.toFixed(digits));

export const decimal = (low: number, high: number, digits: number, ...words: Words): number =>
  round(low + chance(...words) * (high - low), digits);

export function pick<T>(list: readonly T[], ...words: Words): T {
  const picked = list[Math.floor(chance(...words) * list.length)];
  if (picked === undefined) throw new RangeError('nothing to pick from');
  return picked;
}

/** In the list's order, at least one. */
export function some<T>(list: readonly T[], share: number, ...words: Words): T[] {
  const few = list.filter((_, index) => isLikely(share, ...words, index));
  return few.length > 0 ? few : [pick(list, ...words)];
}

/** From first to last, both included. */
export const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);

/** The newest day, up to this one, of those on which it happened. */
export function newestDay(day: number, share: number, ...words: Words): number {
  const back = range(0, 40).find((one) => isLikely(share, ...words, day - one));
  return day - (back ?? 40);
}

export const hex = (length: number, ...words: Words): string =>
  range(1, length)
    .map((at) => whole(0, 15, ...words, 'hex', at).toString(16))
    .join('');

export function uuid(...words: Words): string {
  const digits = hex(32, ...words);
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`];
  return [...parts, `a${digits.slice(17, 20)}`, digits.slice(20)].join('-');
}

/** A whole number that JavaScript cannot hold, as text. */
export const bigId = (...words: Words): string => `90071992${whole(10 ** 10, 10 ** 11 - 1, ...words)}`;

/** Noon of the first run date, UTC. */
const start = Date.UTC(2026, 3, 20, 12);

const monthNames =
  'January February March April May June July August September October November December'.split(' ');

export interface Moment {
  readonly epochMs: number;
  readonly epochSeconds: number;
  /** 2026-04-20T12:00:00Z */
  readonly utc: string;
  /** 2026-04-20T08:00:00-04:00 */
  readonly eastern: string;
  /** 2026-04-20 */
  readonly day: string;
  /** 2026/04/20 */
  readonly slashed: string;
  /** 04/20/2026 */
  readonly american: string;
  /** April 20, 2026 */
  readonly long: string;
}

/** Days since the first run date and, where it matters, minutes since noon. */
export function on(offset: number, minutes = 0): Moment {
  const epochMs = start + offset * 86_400_000 + minutes * 60_000;
  const date = new Date(epochMs);
  const utc = date.toISOString().replace('.000', '');
  const day = utc.slice(0, 10);
  const [year, month, ofMonth] = day.split('-');
  return {
    epochMs,
    epochSeconds: Math.floor(epochMs / 1000),
    utc,
    eastern: new Date(epochMs - 4 * 3_600_000).toISOString().replace('.000Z', '-04:00'),
    day,
    slashed: day.replaceAll('-', '/'),
    american: `${month}/${ofMonth}/${year}`,
    long: `${monthNames[date.getUTCMonth()]} ${date.getUTCDate()}, ${year}`,
  };
}

/** 1,234.56 */
export const grouped = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
