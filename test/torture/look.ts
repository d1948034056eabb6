// Reads what the warehouse shows of a slice, and tells whether that is what was expected.
import type pg from 'pg';
import type { Fields } from './world.ts';

export interface Shown {
  /** Status of the slice on the run date; `none`: it was not planned. */
  readonly status: string;
  readonly error: string;
  /** Current records, each as text with its fields in order. */
  readonly records: readonly string[];
}

export async function look(pool: pg.Pool, stream: string, client: string, runDate: string): Promise<Shown> {
  const slices = await pool.query<{ status: string; error: string | null }>(
    'select status, error from sync.slice where stream = $1 and client_id = $2 and run_date = $3',
    [stream, client, runDate],
  );
  const { rows } = await pool.query<{ payload: unknown }>(
    `select payload from snapshot.record where stream = $1 and client_id = $2 and until = 'infinity'`,
    [stream, client],
  );
  const [slice] = slices.rows;
  return {
    status: slice?.status ?? 'none',
    error: slice?.error ?? '',
    records: sorted(rows.map(({ payload }) => payload)),
  };
}

export function sorted(records: readonly unknown[]): string[] {
  return records.map(textOf).sort();
}

export function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

/** Returns what `one` has and `other` has not, duplicates counted. */
export function lacking(one: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const text of other) left.set(text, (left.get(text) ?? 0) + 1);
  return one.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

/** One text for one content, whatever the order of its fields; of one that is too deep to be told, its depth. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner as Fields).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    );
  } catch (error) {
    if (error instanceof RangeError) return 'too deep to be told';
    throw error;
  }
}
