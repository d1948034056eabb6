// What a logical field means, in the words of the curated views' columns.
import { sql } from 'kysely';
import type { Executor } from '../connection/database.ts';
import { readViewOrigins } from '../views/column-origins.ts';
import { fieldsOf } from '../views/origin.ts';

export interface Meaning {
  /** `bi.rank_latest.score` */
  readonly column: string;
  readonly comment: string;
}

/** By field, as `rank_now.score`; fields that no view shows have none. */
export async function readMeanings(db: Executor): Promise<ReadonlyMap<string, Meaning>> {
  const { rows } = await sql<{ name: string; comment: string }>`
    select c.relname || '.' || a.attname as name, col_description(c.oid, a.attnum) as comment
    from pg_class as c join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace = 'bi'::regnamespace and c.relkind = 'v' and col_description(c.oid, a.attnum) is not null`.execute(
    db,
  );
  const comments = new Map(rows.map(({ name, comment }) => [name, comment]));
  const found = new Map<string, { readonly meaning: Meaning; readonly parts: number }>();
  for (const { view, columns } of await readViewOrigins(db)) {
    for (const { column, origin } of columns) {
      const comment = comments.get(`${view}.${column}`);
      if (comment === undefined) continue;
      const fields = fieldsOf(origin);
      for (const { source, field } of fields) {
        const name = `${source}.${field}`;
        // The column that shows little else says it best.
        const parts = fields.length + (column === field ? 0 : 0.5);
        if (parts >= (found.get(name)?.parts ?? Number.POSITIVE_INFINITY)) continue;
        found.set(name, { meaning: { column: `bi.${view}.${column}`, comment }, parts });
      }
    }
  }
  return new Map([...found].map(([field, { meaning }]) => [field, meaning]));
}
