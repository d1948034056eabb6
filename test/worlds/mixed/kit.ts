// Draws that depend on words alone, and the ways in which this team writes days and amounts.

export type Seed = readonly (string | number)[];

/** In [0, 1). */
export function draw(...seed: Seed): number {
  let state = 1779033703;
  for (const char of seed.join('/')) {
    state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 3432918353);
    state = (state << 13) | (state >>> 19);
  }
  state = Math.imul(state ^ (state >>> 16), 2246822507);
  state = Math.imul(state ^ (state >>> 13), 3266489909);
  return ((state ^ (state >>> 16)) >>> 0) / 4294967296;
}

export const often = (share: number, ...seed: Seed): boolean => draw(...seed) < share;

export const count = (least: number, most: number, ...seed: Seed): number =>
  least + Math.floor(draw(...seed) * (most - least + 1));

export const cut = (value: number, digits = 1): number => Number(value.toFixed(digits));

export const between = (least: number, most: number, digits: number, ...seed: Seed): number =>
  cut(least + draw(...seed) * (most - least), digits);

export function one<T>(list: readonly T[], ...seed: Seed): T {
  const found = list[Math.floor(draw(...seed) * list.length)];
  if (found === undefined) throw new RangeError('the list is empty');
  return found;
}

/** In their order; one at least. */
export function several<T>(list: readonly T[], share: number, ...seed: Seed): T[] {
  const found = list.filter((_, index) => often(share, ...seed, index));
  return found.length === 0 ? [one(list, ...seed)] : found;
}

/** 0, 1, … */
export const upTo = (size: number): number[] =>
  Array.from({ length: Math.max(0, size) }, (_, index) => index);

export const padded = (value: number, width: number): string => String(value).padStart(width, '0');

export const digest = (width: number, ...seed: Seed): string =>
  upTo(width)
    .map((at) => count(0, 15, ...seed, at).toString(16))
    .join('');

/** A value that drifts from day to day, within 0 and 100. */
export function drifting(base: number, day: number, ...seed: Seed): number {
  const wave = 3 * Math.sin((day + 10 * draw(...seed)) / 9) + between(-1.2, 1.2, 2, ...seed, day);
  return cut(Math.min(98, Math.max(2, base + wave)));
}

/** 14:00 UTC on the first run date, a Monday. */
const origin = Date.UTC(2026, 4, 11, 14);

const months =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ');

export interface Instant {
  readonly ms: number;
  readonly seconds: number;
  /** 2026-05-11T14:00:00Z */
  readonly utc: string;
  /** 2026-05-11T08:00:00-06:00, as in Mexico City */
  readonly local: string;
  /** 2026-05-11 */
  readonly dashed: string;
  /** 2026/05/11 */
  readonly yearFirst: string;
  /** 11/05/2026 */
  readonly dayFirst: string;
  /** 11 de mayo de 2026 */
  readonly spelled: string;
}

/** Days from the first run date, and minutes from 14:00 UTC. */
export function at(offset: number, minutes = 0): Instant {
  const ms = origin + offset * 86_400_000 + minutes * 60_000;
  const utc = new Date(ms).toISOString().replace('.000', '');
  const dashed = utc.slice(0, 10);
  const [year = '', month = '', day = ''] = dashed.split('-');
  return {
    ms,
    seconds: Math.floor(ms / 1000),
    utc,
    local: new Date(ms - 6 * 3_600_000).toISOString().replace('.000Z', '-06:00'),
    dashed,
    yearFirst: `${year}/${month}/${day}`,
    dayFirst: `${day}/${month}/${year}`,
    spelled: `${Number(day)} de ${months[Number(month) - 1]} de ${year}`,
  };
}

/** $1,234.50 MXN */
export const amount = (value: number, currency: string): string =>
  `$${value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${currency}`;

/** 1.234,5 */
export const withComma = (value: number, digits = 1): string =>
  value.toLocaleString('de-DE', { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const yesNo = (is: boolean): 'Sí' | 'No' => (is ? 'Sí' : 'No');
