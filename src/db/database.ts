// The tables as the code sees them. Their types are generated from the schema; column meanings: comments in sql/migrations.
import { Kysely, PostgresDialect, type Selectable } from 'kysely';
import type pg from 'pg';
import type { Tables } from './tables.ts';

/** A row of a table, as a query reads it. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

export type SliceStatus = Row<'sync.slice'>['status'];
export type RunStatus = Row<'sync.run'>['status'];
export type WalkKind = Row<'sync.slice'>['walk'];

export type Database = Tables;

/** A connection or a transaction on it. */
export type Executor = Kysely<Database>;

/** Kysely over a pool; the caller closes the pool. */
export function createDatabase(pool: pg.Pool): Kysely<Database> {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
