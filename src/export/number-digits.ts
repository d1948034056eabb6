// How many digits the numbers of a view need, so that a type can be chosen that holds them all.
import type { Digits, ViewColumn } from './parquet-columns.ts';
import { columnOf } from './view-columns.ts';

/** By column; undefined: some values are no decimals (NaN, infinity). */
export type ColumnDigits = ReadonlyMap<string, Digits | undefined>;

const numericOf = (columns: readonly ViewColumn[]) => columns.filter(({ type }) => type === 'numeric');

/** Aggregates over the view as x, three a numeric column. */
export function digitsSql(columns: readonly ViewColumn[]): string[] {
  return numericOf(columns).flatMap((column) => {
    const value = columnOf(column);
    return [
      `coalesce(max(length(nullif(trunc(abs(${value})), 0)::text)), 0)`,
      `coalesce(max(min_scale(${value})), 0)`,
      `coalesce(bool_and(${value} not in ('NaN', 'Infinity', '-Infinity')), true)`,
    ];
  });
}

/** @param texts what digitsSql gave, in its order */
export function readDigits(columns: readonly ViewColumn[], texts: readonly (string | null)[]): ColumnDigits {
  return new Map(
    numericOf(columns).map(({ name }, index) => {
      const [whole, fraction, finite] = texts.slice(index * 3, index * 3 + 3);
      const digits = { whole: Number(whole), fraction: Number(fraction) };
      return [name, finite === 't' ? digits : undefined];
    }),
  );
}

/** What holds the numbers of all parts. */
export function widestDigits(parts: readonly ColumnDigits[]): ColumnDigits {
  const widest = new Map<string, Digits | undefined>();
  for (const [name, digits] of parts.flatMap((part) => [...part])) {
    const before = widest.has(name) ? widest.get(name) : digits;
    widest.set(
      name,
      before === undefined || digits === undefined
        ? undefined
        : {
            whole: Math.max(before.whole, digits.whole),
            fraction: Math.max(before.fraction, digits.fraction),
          },
    );
  }
  return widest;
}
