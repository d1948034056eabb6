// What the worlds are made with: numbers that look random and depend on words alone, and the ways to write days and numbers.

export type Words = readonly (string | number | null)[];

/** Draws in [0, 1): a hash of words, other ones in each world. */
export function chanceOf({
  start,
  between,
  step = (hash, code) => Math.imul(hash ^ code, 0x01000193),
  first: [far, factor],
  second: [near, other],
}: {
  readonly start: number;
  readonly between: string;
  readonly step?: (hash: number, code: number) => number;
  readonly first: readonly [shift: number, factor: number];
  readonly second: readonly [shift: number, factor: number];
}) {
  return (...words: Words): number => {
    let hash = start;
    for (const char of words.join(between)) hash = step(hash, char.codePointAt(0) ?? 0);
    hash = Math.imul(hash ^ (hash >>> far), factor);
    hash = Math.imul(hash ^ (hash >>> near), other);
    return ((hash ^ (hash >>> far)) >>> 0) / 2 ** 32;
  };
}

export function drawsOf(chance: (...words: Words) => number) {
  const isLikely = (share: number, ...words: Words): boolean => chance(...words) < share;
  const whole = (low: number, high: number, ...words: Words): number =>
    low + Math.floor(chance(...words) * (high - low + 1));
  const decimal = (low: number, high: number, digits: number, ...words: Words): number =>
    round(low + chance(...words) * (high - low), digits);
  function pick<T>(list: readonly T[], ...words: Words): T {
    const picked = list[Math.floor(chance(...words) * list.length)];
    if (picked === undefined) throw new RangeError('nothing to pick from');
    return picked;
  }
  /** In the list's order, at least one. */
  function some<T>(list: readonly T[], share: number, ...words: Words): T[] {
    const few = list.filter((_, index) => isLikely(share, ...words, index));
    return few.length > 0 ? few : [pick(list, ...words)];
  }
  return { isLikely, whole, decimal, pick, some };
}

export const round = (value: number, digits = 1): number => Number(value.toFixed(digits));

/** From first to last, both included. */
export const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);

export interface Moment {
  readonly epochMs: number;
  readonly epochSeconds: number;
  /** 2026-05-14T12:00:00Z */
  readonly utc: string;
  /** 2026-05-14T08:00:00-04:00, at the world's own place */
  readonly local: string;
  /** 2026-05-14 */
  readonly day: string;
  /** 2026/05/14 */
  readonly yearFirst: string;
  /** 14/05/2026 */
  readonly dayFirst: string;
  /** 05/14/2026 */
  readonly monthFirst: string;
  /** As the world spells it. */
  readonly spelled: string;
}

/**
 * Days since the first run date and, where it matters, minutes since the moment of its start.
 * @param hoursEast of Greenwich
 * @param months apart by spaces
 */
export function clockOf(
  start: number,
  hoursEast: number,
  months: string,
  spell: (day: string, month: string, year: string) => string,
) {
  const names = months.split(' ');
  const zone = `${hoursEast < 0 ? '-' : '+'}${String(Math.abs(hoursEast)).padStart(2, '0')}:00`;
  return (offset: number, minutes = 0): Moment => {
    const epochMs = start + offset * 86_400_000 + minutes * 60_000;
    const utc = new Date(epochMs).toISOString().replace('.000', '');
    const day = utc.slice(0, 10);
    const [year = '', month = '', ofMonth = ''] = day.split('-');
    return {
      epochMs,
      epochSeconds: Math.floor(epochMs / 1000),
      utc,
      local: new Date(epochMs + hoursEast * 3_600_000).toISOString().replace('.000Z', zone),
      day,
      yearFirst: `${year}/${month}/${ofMonth}`,
      dayFirst: `${ofMonth}/${month}/${year}`,
      monthFirst: `${month}/${ofMonth}/${year}`,
      spelled: spell(ofMonth, names[Number(month) - 1] ?? '', year),
    };
  };
}

/** 1,234.50 */
export const grouped = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** 1.234,50 */
export function comma(value: number, digits = 1): string {
  const [before = '', after = ''] = Math.abs(value).toFixed(digits).split('.');
  const thousands = before.replaceAll(/\B(?=(\d{3})+$)/g, '.');
  return `${value < 0 ? '-' : ''}${thousands}${after === '' ? '' : `,${after}`}`;
}
