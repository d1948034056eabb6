// The tables in a backup: all of bookkeeping and records in Postgres's catalog, except those named here.
import type pg from 'pg';
import { escapeIdentifier } from 'pg';
import { type BackupHeader, type SavedTable, savedSchemas } from './backup-file.ts';

/** Tables in no backup, which a restore leaves as they are, each with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  'sync.code': 'the texts that are installed in this database',
  'sync.scheduler': 'the settings of the scheduler that works here',
  'sync.job_death': 'jobs of the queue, which stays where it is',
  'sync.migration': 'noted by the migrations of the target',
  'sync.migration_lock': 'a lock of the migrator',
  'sync.typed_scope': 'how far a table of typed rows is filled',
  'sync.typed_table': 'the tables of typed rows that are here, which a restore fills from the records',
  'sync.worker': 'the processes that work here',
};

/**
 * Tables in a backup that are no sign of data: a first `migrate`, or a scheduler that has nothing to do yet,
 * writes rows here.
 */
export const comesByItself: Readonly<Record<string, string>> = {
  'sync.known_job': 'when a scheduler first saw a job',
  'sync.logical_field': 'the fields that this version knows',
  'sync.delivery': 'which channels were told of incidents',
  'sync.incident': 'incidents of a scheduler, such as a refused key',
  'sync.view_refresh': 'the last refresh of the views',
  'sync.source': 'the streams that have a table',
  'sync.view': 'the views of these streams',
  'sync.view_column': 'the columns of these views',
};

/**
 * Lists the tables that hold rows, each partition by itself. Tables with foreign keys come last; none of them
 * refers to another such table.
 */
export async function listTables(client: pg.ClientBase): Promise<SavedTable[]> {
  const { rows } = await client.query<SavedTable>(
    `select n.nspname as schema, c.relname as "table", pg_table_size(c.oid)::float8 as about_bytes,
      (
        select json_agg(attname order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
      ) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1) and c.relkind = 'r' and format('%s.%s', n.nspname, c.relname) <> all ($2)
    order by exists (select from pg_constraint where conrelid = c.oid and contype = 'f'), n.nspname desc, c.relname`,
    [savedSchemas, Object.keys(leftOut)],
  );
  return rows;
}

/** Reads sequences, not rows: a number is not given again because its row is gone. */
export async function listNumbers(client: pg.ClientBase): Promise<BackupHeader['numbers']> {
  const { rows } = await client.query(
    `select * from (
      select format('%s.%s', n.nspname, c.relname) as "table", a.attname as column,
        pg_sequence_last_value(pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname)::regclass)::text as last
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any ($1) and a.attidentity <> '' and c.relkind = 'r'
    ) as x where last is not null order by 1`,
    [savedSchemas],
  );
  return rows;
}

export function quotedName({ schema, table }: Pick<SavedTable, 'schema' | 'table'>): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
}

export function copyTarget(table: SavedTable): string {
  return `${quotedName(table)} (${table.columns.map(escapeIdentifier).join(', ')})`;
}

/**
 * Sets up the transaction of a copy. Nobody but its caller ends a long copy, whatever the role's settings
 * say, and whole tables are read in the order in which they lie.
 */
export async function prepareTransaction(client: pg.ClientBase): Promise<void> {
  await client.query(`
    set local client_encoding = 'UTF8'; set local datestyle = iso, ymd; set local intervalstyle = postgres;
    set local timezone = 'UTC'; set local bytea_output = hex; set local extra_float_digits = 3; set local search_path = '';
    set local synchronize_seqscans = off; set local jit = off`);
  await client.query(`
    select set_config(name, '0', true) from pg_settings
    where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`);
}
