// What a logical field means, in the words of the curated views' columns.
import { catalogue } from '../../db/code/catalogue.ts';
import { fieldsOf } from '../../db/code/origin.ts';

export interface Meaning {
  /** `bi.rank_latest.score` */
  readonly column: string;
  readonly comment: string;
}

/** By field, as `rank_now.score`; fields that no view shows have none. */
export function meanings(): ReadonlyMap<string, Meaning> {
  const found = new Map<string, { readonly meaning: Meaning; readonly parts: number }>();
  for (const view of catalogue()) {
    for (const { name: column, comment, origin } of view.columns) {
      const fields = fieldsOf(origin);
      for (const { source, field } of fields) {
        const name = `${source}.${field}`;
        // The column that shows little else says it best.
        const parts = fields.length + (column === field ? 0 : 0.5);
        if (parts >= (found.get(name)?.parts ?? Number.POSITIVE_INFINITY)) continue;
        found.set(name, { meaning: { column: `${view.view}.${column}`, comment }, parts });
      }
    }
  }
  return new Map([...found].map(([field, { meaning }]) => [field, meaning]));
}
