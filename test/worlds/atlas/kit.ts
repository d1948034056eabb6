// Numbers that look random and depend on words alone, and the ways in which this company writes a day.

export type Words = readonly (string | number)[];

/** In [0, 1). */
export function chance(...words: Words): number {
  let hash = 0x9747b28c;
  for (const char of words.join('/')) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
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

export const hex = (length: number, ...words: Words): string =>
  range(1, length)
    .map((at) => whole(0, 15, ...words, at).toString(16))
    .join('');

export const guid = (...words: Words): string =>
  [8, 4, 4, 4, 12].map((length, part) => hex(length, ...words, 'guid', part)).join('-');

export const yesNo = (is: boolean): string => (is ? 'Yes' : 'No');

/** 1,234.50 */
export const grouped = (value: number, digits = 0): string =>
  value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits });

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Noon of the first run date, UTC. */
const start = Date.UTC(2026, 4, 14, 12);

export interface Moment {
  readonly epochMs: number;
  /** 2026-05-14T12:00:00Z */
  readonly utc: string;
  /** 2026-05-14T13:00:00.000+01:00 */
  readonly london: string;
  /** 2026-05-14 */
  readonly day: string;
  /** 14/05/2026 */
  readonly slashed: string;
  /** 14 May 2026 */
  readonly short: string;
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
    utc,
    london: new Date(epochMs + 3_600_000).toISOString().replace('Z', '+01:00'),
    day,
    slashed: `${ofMonth}/${month}/${year}`,
    short: `${ofMonth} ${months[date.getUTCMonth()]} ${year}`,
  };
}
