// The numbers of this company, and the ways in which it writes a day.
import { chanceOf, clockOf, drawsOf, range, type Words } from '../kit.ts';

export const chance = chanceOf({
  start: 0x9747b28c,
  between: '/',
  first: [15, 0x2c1b3c6d],
  second: [12, 0x297a2d39],
});

export const { isLikely, whole, decimal, pick, some } = drawsOf(chance);

export const hex = (length: number, ...words: Words): string =>
  range(1, length)
    .map((at) => whole(0, 15, ...words, at).toString(16))
    .join('');

export const guid = (...words: Words): string =>
  [8, 4, 4, 4, 12].map((length, part) => hex(length, ...words, 'guid', part)).join('-');

export const yesNo = (is: boolean): string => (is ? 'Yes' : 'No');

const clock = clockOf(
  Date.UTC(2026, 4, 14, 12),
  1,
  'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
  (day, month, year) => `${day} ${month} ${year}`,
);

/** From noon of the first run date, UTC; told in London, with milliseconds. */
export const on: typeof clock = (offset, minutes) => {
  const moment = clock(offset, minutes);
  return { ...moment, local: moment.local.replace('+', '.000+') };
};
