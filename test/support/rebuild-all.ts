// Reads every typed row, and all that is derived from them, once more from the versions.
import { sql } from 'kysely';
import type { Executor } from '../../src/db/database.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';

/** @param sources some of them; default all that have rows */
export async function rebuildAll(db: Executor, sources?: readonly string[]): Promise<readonly string[]> {
  await sql`
    update sync.typed_table set hash = 'of another release'
    where mapping is not null and (${sources === undefined} or source = any(${sources ?? []}::text[]))`.execute(
    db,
  );
  return await refreshMapping(db);
}
