// Gives the space of deleted rows back: one table at a time is written anew. Without it the space is used again by later
// rows.
import { sql } from 'kysely';
import type pg from 'pg';
import { escapeIdentifier } from 'pg';
import type { Executor } from '../../db/database.ts';
import { isLockTimeout } from '../../db/sqlstate.ts';
import { sourcesOf } from '../../mapping/logical/logical-sources.ts';
import { derivedFrom } from '../../publish/tables/derived.ts';

export interface TableSize {
  /** As `snapshot.products`. */
  readonly table: string;
  /** With its indexes: at most so much is needed beside it while it is written anew. */
  readonly bytes: number;
}

/** The tables of streams, the largest last, so that what the others give back helps it. */
export async function tablesOf(db: Executor, streams: readonly string[]): Promise<readonly TableSize[]> {
  const typed = streams.flatMap((stream) =>
    sourcesOf(stream).flatMap(({ name }) => [`typed.${name}`, ...derivedFrom(name).map((one) => one.table)]),
  );
  const names = new Set([...streams.map((stream) => `snapshot.${stream}`), 'snapshot.envelope', ...typed]);
  const { rows } = await sql<TableSize>`
    select n.nspname || '.' || c.relname as table, pg_total_relation_size(c.oid) as bytes
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname || '.' || c.relname = any(${[...names]}::text[]) and c.relkind = 'r'
    order by bytes, 1`.execute(db);
  return rows;
}

/** With its indexes, in bytes. */
export async function sizeOf(db: Executor, table: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_total_relation_size(${quoted(table)}::regclass) as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}

function quoted(table: string): string {
  const [schema = '', ...name] = table.split('.');
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name.join('.'))}`;
}

/** Lets later rows use the space; nobody waits for it. */
export async function vacuumTables(db: Executor, tables: readonly TableSize[]): Promise<void> {
  for (const { table } of tables) await sql.raw(`vacuum (analyze) ${quoted(table)}`).execute(db);
}

/** Somebody who reads a table for longer than this is not waited for, because all others would wait too. */
const lockTimeoutMs = 10_000;

/** Writes a table anew under its exclusive lock. False: somebody else held it for too long, and nothing was changed. */
export async function rewriteTable(pool: pg.Pool, table: string): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    await client.query(`vacuum (full, analyze) ${quoted(table)}`);
    return true;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return false;
  } finally {
    await client.query('reset lock_timeout').catch(() => undefined);
    client.release();
  }
}
