// What a backup holds, part by part, whether it goes into a file or straight into another warehouse.

import { createHash } from 'node:crypto';
import type pg from 'pg';
import { escapeIdentifier } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import * as z from 'zod';
import { tableSchemas } from '../../db/schemas.ts';
import { blockBytes } from './block.ts';

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

function copyOutText(table: SavedTable): string {
  return `copy ${qualifiedName(table)} (${columnsOf(table)}) to stdout`;
}

/** Frozen: only for a table that is made or emptied in the same transaction. No vacuum has to look at it again. */
export function copyInText(table: SavedTable): string {
  return `copy ${qualifiedName(table)} (${columnsOf(table)}) from stdin with (freeze)`;
}

/** The rows of one table as Postgres writes them for COPY, in large pieces, and what they come to. */
export async function* copyOut(client: pg.ClientBase, table: SavedTable): AsyncGenerator<Buffer, TableEnd> {
  const stream = client.query(copyTo(copyOutText(table), { highWaterMark: blockBytes }));
  const hash = createHash('sha256');
  let bytes = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    hash.update(piece);
    bytes += piece.length;
    waiting.push(piece);
    waitingBytes += piece.length;
    if (waitingBytes < blockBytes) continue;
    const all = Buffer.concat(waiting);
    const whole = all.length - (all.length % blockBytes);
    yield all.subarray(0, whole);
    waiting = [all.subarray(whole)];
    waitingBytes = all.length - whole;
  }
  if (waitingBytes > 0) yield Buffer.concat(waiting);
  return { table: savedTableName(table), rows: stream.rowCount, bytes, sha256: hash.digest('hex') };
}

export interface BackupProgress {
  readonly table: string;
  readonly rows: number;
  readonly share: number;
}

/** @param listen told of each part; what it throws ends the work */
export async function* watchParts(
  parts: AsyncIterable<BackupPart>,
  listen: (progress: BackupProgress) => void,
): AsyncGenerator<BackupPart> {
  let tables: readonly SavedTable[] = [];
  let ended = 0;
  let rows = 0;
  let endedBytes = 0;
  let bytes = 0;
  for await (const part of parts) {
    if (part.kind === 'header') tables = part.header.tables;
    const table = tables[ended];
    if (part.kind === 'rows') bytes += part.bytes.length;
    if (part.kind === 'table') {
      ended += 1;
      rows += part.end.rows;
      endedBytes += table?.about_bytes ?? 0;
      bytes = 0;
    }
    const all = tables.reduce((sum, { about_bytes }) => sum + about_bytes, 0);
    const ofTable = part.kind === 'rows' ? Math.min(bytes, table?.about_bytes ?? 0) : 0;
    listen({
      table: table === undefined ? '' : savedTableName(table),
      rows,
      share: all === 0 ? 1 : (endedBytes + ofTable) / all,
    });
    yield part;
  }
}

/** Raised when a release could no longer read what is written. */
export const backupFormat = 1;

const savedTable = z.object({
  schema: z.enum(tableSchemas),
  table: z.string().min(1),
  columns: z.array(z.object({ name: z.string().min(1), type: z.string().min(1) })).min(1),
  /** Estimates, for the progress only. */
  about_rows: z.number(),
  about_bytes: z.number(),
});

/** The last number that a column gave, which may be of a row that is gone or is not in the backup. */
const givenNumber = z.object({
  schema: z.string(),
  table: z.string(),
  column: z.string(),
  last: z.string().regex(/^\d+$/),
});

export const backupHeader = z.object({
  format: z.literal(backupFormat),
  airank_version: z.string(),
  postgres_version: z.string(),
  made_at: z.string(),
  /** The schema of the tables: migrations that were applied, in order. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(savedTable),
  numbers: z.array(givenNumber),
});

export const tableEnd = z.object({
  table: z.string(),
  rows: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  /** Of the rows as Postgres writes them for COPY. */
  sha256: z.string(),
});

export const backupEnd = z.object({
  tables: z.number().int(),
  rows: z.number().int(),
});

export type GivenNumber = z.infer<typeof givenNumber>;
export type SavedTable = z.infer<typeof savedTable>;
export type BackupHeader = z.infer<typeof backupHeader>;
export type TableEnd = z.infer<typeof tableEnd>;
export type BackupEnd = z.infer<typeof backupEnd>;

/** A header, then for each of its tables rows and their end, then the end. Rows are bytes, cut anywhere. */
export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'rows'; readonly bytes: Buffer }
  | { readonly kind: 'table'; readonly end: TableEnd }
  | { readonly kind: 'end'; readonly end: BackupEnd };

/** As people write it. */
export function savedTableName({
  schema,
  table,
}: {
  readonly schema: string;
  readonly table: string;
}): string {
  return `${schema}.${table}`;
}
