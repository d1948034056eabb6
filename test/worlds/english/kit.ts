// The numbers of this team, and the ways in which it writes a day.
import { chanceOf, clockOf, drawsOf, range, type Words } from '../kit.ts';

export const chance = chanceOf({
  start: 0x811c9dc5,
  between: '|',
  first: [16, 0x85ebca6b],
  second: [13, 0xc2b2ae35],
});

export const { isLikely, whole, decimal, pick, some } = drawsOf(chance);

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

/** From noon of the first run date, UTC; told in New York. */
export const on = clockOf(
  Date.UTC(2026, 3, 20, 12),
  -4,
  'January February March April May June July August September October November December',
  (day, month, year) => `${month} ${Number(day)}, ${year}`,
);
