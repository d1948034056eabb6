// The many ways in which ten years of one database write a day, and numbers as they are written in Spain.
import { clockOf, comma } from '../kit.ts';

/** A quarter past nine in Santander on the first run date. */
const there = clockOf(
  Date.UTC(2026, 4, 18, 9, 15),
  0,
  'ene feb mar abr may jun jul ago sep oct nov dic',
  (day, month, year) => `${Number(day)} ${month} ${year}`,
);

/** Days since the first run date and, where it matters, minutes since the morning. */
export function on(offset: number, minutes = 0) {
  const { epochSeconds, utc, day, yearFirst, dayFirst, spelled } = there(offset, minutes);
  const dmy = dayFirst.replaceAll('/', '-');
  const time = utc.slice(11, 16);
  return {
    day,
    /** 18-05-2026 */
    dmy,
    /** 18-05-2026 09:15 */
    dmyTime: `${dmy} ${time}`,
    /** 2026/05/18 09:15 */
    slashed: `${yearFirst} ${time}`,
    spelled,
    iso: utc.replace('Z', '+02:00'),
    seconds: epochSeconds - 7_200,
  };
}

/** 12,5 % */
export const percent = (value: number, digits = 1): string => `${comma(value, digits)} %`;

/** 1.234,56 € */
export const money = (value: number, sign = '€'): string => `${comma(value, 2)} ${sign}`;
