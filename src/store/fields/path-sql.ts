// A path of the data as SQL: the value there, and the elements of the arrays on the way.
import { escapeLiteral } from 'pg';

/** The jsonb value at a path without arrays. `->` only: `#>` would take the key "0" for an array index. */
export function jsonAt(base: string, path: readonly string[]): string {
  return path.reduce((sql, step) => `${sql} -> ${escapeLiteral(step)}`, base);
}

/** From-items for the elements of an array, which may lie below another one. */
export function arrayItems(array: readonly string[]): { items: string[]; arrays: number } {
  const items: string[] = [];
  let segment: string[] = [];
  let base = 'r.payload';
  for (const step of [...array, '[]']) {
    if (step !== '[]') {
      segment.push(step);
      continue;
    }
    const value = `(${jsonAt(base, segment)})`;
    const alias = `e${items.length + 1}`;
    items.push(
      `cross join lateral jsonb_array_elements(case jsonb_typeof${value} when 'array' then ${value} end)` +
        ` with ordinality as ${alias} (value, position)`,
    );
    base = `${alias}.value`;
    segment = [];
  }
  return { items, arrays: items.length };
}
