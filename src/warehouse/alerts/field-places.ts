// Where the rows that views show now found each logical field.
import type { Executor } from '../connection/database.ts';

/** By source and field, as `crawl.status`; what is not found, or of which nothing is published, is left out. */
export async function readFieldPlaces(db: Executor): Promise<ReadonlyMap<string, string>> {
  const tables = await db
    .selectFrom('sync.typed_table')
    .select(['source', 'mapping'])
    .where('is_next', '=', false)
    .execute();
  return new Map(
    tables.flatMap(({ source, mapping }) =>
      (mapping ?? []).flatMap(({ field, path }): [string, string][] =>
        path === null ? [] : [[`${source}.${field}`, path]],
      ),
    ),
  );
}
