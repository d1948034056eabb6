// How well values fit a field that is a number. Pure.

import type { Reader } from '../logical/reader-names.ts';
import { readAs } from '../logical/readers.ts';
import type { Scalar } from './profile.ts';
import { leastRead, readShare, type ValueScore } from './read-share.ts';
import { looksSo } from './shapes.ts';

/**
 * Undefined: they cannot be the field's.
 * @param isWhole the field is a whole number, which its type does not say
 */
export function numberScore(
  type: 'numeric' | 'score' | 'rate' | 'bigint',
  all: readonly Scalar[],
  isWhole: boolean,
): ValueScore | undefined {
  const values = withNumbers(all);
  const way = values.length * 5 < all.length ? undefined : wayOfNumbers(values);
  if (way === undefined) return undefined;
  const found = values.flatMap((value) => {
    const number = Number(readAs('numeric', way.readers, value));
    return Number.isFinite(number) ? [number] : [];
  });
  const share = (fits: (value: number) => boolean) => found.filter(fits).length / Math.max(found.length, 1);
  // Seconds or milliseconds since 1970.
  if (share((value) => Number.isInteger(value) && isEpoch(value)) > 0.9) return undefined;
  if (type !== 'bigint' && isSerial(found)) return undefined;
  if (type === 'bigint') return share(Number.isInteger) < leastRead ? undefined : { score: 0.1, ...way };
  const most = Math.max(...found);
  const isOut = share((value) => value < 0 || value > 100) > 0.02;
  if (type === 'score') {
    if (isOut || (most <= 1 && found.some((value) => value > 0 && value < 1))) return undefined;
    return { score: 0.15, ...way };
  }
  if (type === 'rate') {
    if (isOut) return undefined;
    const hasSign = values.some((value) => /%\s*$/.test(String(value)));
    const overOne = share((value) => value > 1);
    const isPercent = hasSign || overOne > 0.6;
    return {
      score: hasSign ? 0.3 : 0.15,
      ...way,
      readers: isPercent ? [...way.readers, 'percent'] : way.readers,
      // Neither shares alone nor percentages alone.
      isAmbiguous: way.isAmbiguous || (!isPercent && overOne > 0.1 && found.length >= 5),
    };
  }
  return { score: 0.05, ...way, weight: isWhole && share(Number.isInteger) < leastRead ? 0.6 : 1 };
}

const isEpoch = (value: number) => (value > 1.4e9 && value < 2e9) || (value > 1.4e12 && value < 2e12);

function wayOfNumbers(values: readonly Scalar[]): Omit<ValueScore, 'score'> | undefined {
  if (values.filter((value) => typeof value === 'boolean').length > 0.2 * values.length) return undefined;
  const asItIs = readShare('numeric', [], values);
  if (asItIs === 1) return { readers: [], read: asItIs, isAmbiguous: false };
  const comma = readShare('numeric', ['comma'], values);
  const point = readShare('numeric', ['point'], values);
  const best = Math.max(asItIs, comma, point);
  if (best < leastRead) return undefined;
  if (asItIs === best) return { readers: [], read: asItIs, isAmbiguous: false };
  const thousands = comma === point ? thousandsOf(values) : undefined;
  if (thousands !== undefined) return { readers: [thousands], read: best, isAmbiguous: false };
  return { readers: [comma >= point ? 'comma' : 'point'], read: best, isAmbiguous: comma === point };
}

/** 1, 2, 3, …: the number of the row, and no figure of it. */
function isSerial(values: readonly number[]): boolean {
  const different = new Set(values);
  return (
    values.length > 10 &&
    different.size === values.length &&
    Math.max(...values) - Math.min(...values) === values.length - 1
  );
}

/** Where three digits follow each sign, in enough values, it parts thousands. */
function thousandsOf(values: readonly Scalar[]): Reader | undefined {
  const signed = values.map(String).filter((value) => /[.,]/.test(value));
  const all = (sign: string) =>
    signed.every((value) => new RegExp(`^\\D*\\d{1,3}(?:[${sign}]\\d{3})+\\D*$`).test(value));
  if (new Set(signed).size < 4) return undefined;
  return all(',') ? 'point' : all('.') ? 'comma' : undefined;
}

const stated = new WeakMap<readonly Scalar[], readonly Scalar[]>();

/** Without those that say that there is no number. */
function withNumbers(values: readonly Scalar[]): readonly Scalar[] {
  const before = stated.get(values);
  if (before !== undefined) return before;
  const rest = values.filter((value) => !looksSo('absence', value));
  stated.set(values, rest);
  return rest;
}
