// Scalars in a record of the API, near its top. Pure.

export interface FoundValue {
  /** Names of the fields from the record to it. */
  readonly path: readonly string[];
  readonly value: string | number;
}

const deepest = 4;

/** Texts and numbers, also in objects and lists in it. */
export function valuesIn(record: unknown, path: readonly string[] = [], depth = 0): FoundValue[] {
  if (typeof record === 'string' || typeof record === 'number') return [{ path, value: record }];
  if (typeof record !== 'object' || record === null || depth === deepest) return [];
  if (Array.isArray(record)) return record.flatMap((value) => valuesIn(value, path, depth + 1));
  return Object.entries(record).flatMap(([key, value]) => valuesIn(value, [...path, key], depth + 1));
}
