// The statements that copy a table, and how a session must be set so that every Postgres writes and reads the same text.
import type pg from 'pg';
import { escapeIdentifier } from 'pg';
import type { SavedTable } from './backup-parts.ts';

/**
 * For a connection that is closed afterwards. Nothing ends a long copy but who began it, whatever the role's settings
 * say, and whole tables are read in the order in which they lie.
 */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(`
    set client_encoding = 'UTF8'; set datestyle = iso, ymd; set intervalstyle = postgres; set timezone = 'UTC';
    set bytea_output = hex; set extra_float_digits = 3; set search_path = ''; set synchronize_seqscans = off;
    set synchronous_commit = on; set jit = off`);
  await client.query(`
    select set_config(name, '0', false) from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`);
}

export function qualifiedName({
  schema,
  table,
}: {
  readonly schema: string;
  readonly table: string;
}): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
}

const columnsOf = (table: SavedTable) => table.columns.map(({ name }) => escapeIdentifier(name)).join(', ');

export function copyOutText(table: SavedTable): string {
  return `copy ${qualifiedName(table)} (${columnsOf(table)}) to stdout`;
}

/** Frozen: only for a table that is made or emptied in the same transaction. No vacuum has to look at it again. */
export function copyInText(table: SavedTable): string {
  return `copy ${qualifiedName(table)} (${columnsOf(table)}) from stdin with (freeze)`;
}
