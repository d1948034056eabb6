// The numbers of this team, and the ways in which it writes days and amounts.
import { chanceOf, clockOf, drawsOf, grouped, round, type Words } from '../kit.ts';

export const chance = chanceOf({
  start: 1779033703,
  between: '/',
  step: (hash, code) => {
    const next = Math.imul(hash ^ code, 3432918353);
    return (next << 13) | (next >>> 19);
  },
  first: [16, 2246822507],
  second: [13, 3266489909],
});

export const { isLikely, whole, decimal, pick, some } = drawsOf(chance);

/** 0, 1, … */
export const upTo = (size: number): number[] =>
  Array.from({ length: Math.max(0, size) }, (_, index) => index);

export const padded = (value: number, width: number): string => String(value).padStart(width, '0');

export const hex = (width: number, ...words: Words): string =>
  upTo(width)
    .map((at) => whole(0, 15, ...words, at).toString(16))
    .join('');

/** A value that drifts from day to day, within 0 and 100. */
export function drifting(base: number, day: number, ...words: Words): number {
  const wave = 3 * Math.sin((day + 10 * chance(...words)) / 9) + decimal(-1.2, 1.2, 2, ...words, day);
  return round(Math.min(98, Math.max(2, base + wave)));
}

/** From 14:00 UTC on the first run date, a Monday; told in Mexico City. */
export const on = clockOf(
  Date.UTC(2026, 4, 11, 14),
  -6,
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  (day, month, year) => `${Number(day)} de ${month} de ${year}`,
);

/** $1,234.50 MXN */
export const amount = (value: number, currency: string): string => `$${grouped(value, 2)} ${currency}`;

export const yesNo = (is: boolean): 'Sí' | 'No' => (is ? 'Sí' : 'No');
