// The file of a backup: a gzip of one line of JSON, the header, then of each table its rows as Postgres writes them for
// COPY and a line `\. {…}` with their number and digest. No row begins with a backslash and a dot, so the lines stand
// apart, also for people who read it with zcat.
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, type Gzip } from 'node:zlib';
import * as z from 'zod';
import { messageOf, WarehouseError } from '../core/errors.ts';
import { count } from '../core/text.ts';
import { codeOf } from '../db/sqlstate.ts';

/** Raised when earlier releases cannot read what this one writes. */
const format = 1;

/** Schemas of a backup: typed rows and views are made again from these. */
export const savedSchemas = ['sync', 'snapshot'] as const;

const savedTable = z.object({
  schema: z.enum(savedSchemas),
  table: z.string().min(1),
  columns: z.array(z.string().min(1)).min(1),
  /** For the progress only. */
  about_bytes: z.number(),
});

const backupHeader = z.object({
  kind: z.literal('airank-backup'),
  format: z.literal(format),
  airank_version: z.string(),
  made_at: z.string(),
  migrations: z.array(z.string()).min(1),
  tables: z.array(savedTable),
  /** The last number that each identity column gave, which may be of a row that is gone. */
  numbers: z.array(z.object({ table: z.string(), column: z.string(), last: z.string().regex(/^\d+$/) })),
});

const tableEnd = z.object({ table: z.string(), rows: z.number().int().nonnegative(), sha256: z.string() });

export type SavedTable = z.infer<typeof savedTable>;
export type BackupHeader = z.infer<typeof backupHeader>;
export type TableEnd = z.infer<typeof tableEnd>;

/** A part of a backup: the header, then for each table its rows, as bytes cut anywhere, and their end. */
export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'rows'; readonly bytes: Buffer }
  | { readonly kind: 'table'; readonly end: TableEnd };

/** The name as people write it. */
export const savedTableName = ({ schema, table }: Pick<SavedTable, 'schema' | 'table'>) =>
  `${schema}.${table}`;

export const newHeader = (header: Omit<BackupHeader, 'kind' | 'format'>): BackupHeader => ({
  kind: 'airank-backup',
  format,
  ...header,
});

export function encodeBackup(parts: AsyncIterable<BackupPart>): AsyncGenerator<Buffer> {
  return through(textOf(parts), createGzip());
}

async function* textOf(parts: AsyncIterable<BackupPart>): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    if (part.kind === 'rows') yield part.bytes;
    else if (part.kind === 'header') yield Buffer.from(`${JSON.stringify(part.header)}\n`);
    else yield Buffer.from(`\\. ${JSON.stringify(part.end)}\n`);
  }
}

async function* through(bytes: AsyncIterable<Uint8Array>, zip: Gzip): AsyncGenerator<Buffer> {
  // The stream itself reports its failure.
  pipeline(bytes, zip).catch(() => undefined);
  yield* zip as AsyncIterable<Buffer>;
}

export interface BackupSource {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly name: string;
}

const fix = 'Copy it again from where it was made, or use another backup';

/** Larger pieces take fewer turns of the loop. */
const pieceBytes = 1 << 18;

/**
 * Decodes a backup. The rows of a table come before its digest is checked: a caller that used them undoes
 * that if this throws.
 * @throws WarehouseError where it is cut off, altered or something else
 */
export async function* decodeBackup({ bytes, name }: BackupSource): AsyncGenerator<BackupPart> {
  const gunzip = createGunzip({ chunkSize: pieceBytes });
  let tables: readonly SavedTable[] | undefined;
  let ended = 0;
  let hash = createHash('sha256');
  let rest: Buffer = Buffer.alloc(0);
  /** Bytes of the rest that are done: the line feed before the first row of a table. */
  let done = 1;
  const place = () => placeOf(tables, ended);
  const damaged = (why: string) => new WarehouseError(`${name} is damaged in ${place()}: ${why}. ${fix}`);
  try {
    for await (const piece of through(bytes, gunzip)) {
      rest = Buffer.concat([rest, piece]);
      if (tables === undefined) {
        const end = rest.indexOf('\n');
        if (end < 0) continue;
        const header = parseHeader(name, rest.toString('utf8', 0, end));
        rest = rest.subarray(end);
        tables = header.tables;
        yield { kind: 'header', header };
      }
      for (;;) {
        const at = rest.indexOf('\n\\.');
        // The mark may begin in the last two bytes.
        const upTo = at < 0 ? Math.max(rest.length - 2, done) : at + 1;
        const rows = rest.subarray(done, upTo);
        if (rows.length > 0) {
          if (ended === tables.length) throw damaged('rows follow the last table');
          hash.update(rows);
          rest = rest.subarray(at < 0 ? upTo : at);
          done = at < 0 ? 0 : 1;
          yield { kind: 'rows', bytes: rows };
        }
        const line = at < 0 ? -1 : rest.indexOf('\n', 1);
        if (line < 0) break;
        const end = tableEnd.safeParse(jsonOf(rest.toString('utf8', 3, line))).data;
        const table = tables[ended];
        if (table === undefined || end?.table !== savedTableName(table)) throw damaged('its end is missing');
        if (end.sha256 !== hash.digest('hex')) throw damaged('its rows are not those that were written');
        rest = rest.subarray(line);
        hash = createHash('sha256');
        ended += 1;
        yield { kind: 'table', end };
      }
    }
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (!code.startsWith('Z_')) throw error;
    if (code === 'Z_BUF_ERROR') {
      const at = count(gunzip.bytesWritten);
      throw new WarehouseError(`${name} is cut off: it ends at byte ${at}, in ${place()}. ${fix}`);
    }
    throw tables === undefined ? foreign(name) : damaged(messageOf(error));
  }
  if (tables === undefined) throw foreign(name);
  if (ended < tables.length || rest.length > 1) throw damaged('it does not end there');
}

function placeOf(tables: readonly SavedTable[] | undefined, ended: number): string {
  if (tables === undefined) return 'its header';
  const table = tables[ended];
  return table === undefined ? 'its end' : `table ${savedTableName(table)}`;
}

function foreign(name: string): WarehouseError {
  return new WarehouseError(
    `Expected ${name} to be a backup, got a file that airank backup did not write, or one that is damaged at its ` +
      'beginning. Use another file',
  );
}

function parseHeader(name: string, text: string): BackupHeader {
  const found = jsonOf(text);
  const header = backupHeader.safeParse(found);
  if (header.success) return header.data;
  const later = backupHeader.pick({ kind: true, airank_version: true }).safeParse(found);
  if (!later.success) throw foreign(name);
  const { airank_version: by } = later.data;
  throw new WarehouseError(
    `Expected ${name} to be a backup of format ${format}, got one that airank-warehouse ${by} wrote. Restore it ` +
      'with that version',
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Progress: the table, the rows of those before it, and a share from 0 to 1 by their sizes. */
export interface BackupProgress {
  readonly table: string;
  readonly rows: number;
  readonly share: number;
}

export interface Contents {
  readonly header: BackupHeader;
  readonly tables: readonly TableEnd[];
}

/**
 * `contents` are those of a backup that was read to its end.
 * @param listen is told of each part; an error that it throws ends the work
 */
export function watchParts(from: AsyncIterable<BackupPart>, listen: (progress: BackupProgress) => void) {
  let header: BackupHeader | undefined;
  const ends: TableEnd[] = [];
  async function* watch(): AsyncGenerator<BackupPart> {
    let rows = 0;
    let before = 0;
    let bytes = 0;
    for await (const part of from) {
      const about = header?.tables[ends.length]?.about_bytes ?? 0;
      if (part.kind === 'header') header = part.header;
      else if (part.kind === 'rows') bytes += part.bytes.length;
      else {
        ends.push(part.end);
        rows += part.end.rows;
        before += about;
        bytes = 0;
      }
      const table = header?.tables[ends.length];
      const all = header?.tables.reduce((sum, one) => sum + one.about_bytes, 0) ?? 0;
      const share = all === 0 ? 1 : (before + Math.min(bytes, about)) / all;
      listen({ table: table === undefined ? '' : savedTableName(table), rows, share });
      yield part;
    }
  }
  const contents = (): Contents => {
    if (header === undefined) throw new Error('The backup was not read to its end');
    return { header, tables: ends };
  };
  return { parts: watch(), contents };
}
