// sync.alert_begin: since when alerts are looked for at all.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';

/** Date of the data that the first rule began with; undefined: none has looked yet. */
export async function readFirstLook(db: Executor, account?: string): Promise<string | undefined> {
  const { rows } = await sql<{ date: string | null }>`
    select min(began_on) as date from sync.alert_begin
    where ${account ?? null}::text is null or account = ${account ?? null}`.execute(db);
  return rows[0]?.date ?? undefined;
}
