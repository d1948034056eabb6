// Records of clients that are forgotten do not come in: the list of clients goes without them, and so do the account's
// own streams, where the record says whose it is.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';
import { sourcesOf } from '../mapping/logical/logical-sources.ts';
import { versionSql } from '../mapping/version-sql.ts';
import type { Scope } from '../store/slices/slices.ts';
import { readTables } from './tables/typed-tables.ts';

/** Works on the connection's incoming records, before their keys are settled. */
export async function dropForgotten(tx: Executor, { stream, account }: Scope): Promise<void> {
  if (stream === 'clientes') {
    await sql`
      delete from pg_temp.incoming as i
      where i.stream = ${stream} and sync.is_forgotten(${account}, i.record_key)`.execute(tx);
  }
  const field = stream === 'clientes' ? 'id' : 'client';
  for (const { source, mapping, isNext } of await readTables(tx, sourcesOf(stream))) {
    if (isNext || source.envelope || source.rows !== undefined) continue;
    const only = mapping?.filter((one) => one.field === field && one.path !== null) ?? [];
    if (only.length === 0) continue;
    const { items } = versionSql(source, only);
    await sql`
      delete from pg_temp.incoming as i
      where i.stream = ${stream} and exists (
        select from (select i.payload, '' as client_id) as r ${sql.raw(items.join(' '))}
        where sync.is_forgotten(${account}, coalesce(x.${sql.id(field)}, ''))
      )`.execute(tx);
  }
}
