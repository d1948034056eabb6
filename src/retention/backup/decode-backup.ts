// The bytes of a backup file as its parts. Ends with an error before anything follows that is not as it was written.
import { createHash, type Hash } from 'node:crypto';
import * as z from 'zod';
import { plural } from '../../core/text.ts';
import {
  type BackupEnd,
  type BackupHeader,
  type BackupPart,
  backupEnd,
  backupFormat,
  backupHeader,
  savedTableName,
  tableEnd,
} from './backup-parts.ts';
import { BackupError, type BackupSource, isCutOff, isDamaged, readBlocks } from './block.ts';

interface Progress {
  header: BackupHeader | undefined;
  tables: number;
  rows: number;
  bytes: number;
  hash: Hash;
}

/** @throws BackupError with the table and the place */
export async function* decodeBackup(source: BackupSource): AsyncGenerator<BackupPart> {
  const { name } = source;
  const seal = createHash('sha256');
  const at: Progress = { header: undefined, tables: 0, rows: 0, bytes: 0, hash: createHash('sha256') };
  const place = () => placeOf(at);
  const headerTexts: Buffer[] = [];
  let end: BackupEnd | undefined;
  let position = 0;
  for await (const block of readBlocks(source, place)) {
    const damaged = (why: string) => isDamaged(name, place(), block.at, why);
    position = block.endsAt;
    if (end !== undefined) throw damaged('something follows the end of the backup');
    if (block.kind === 'H' && at.header === undefined) {
      seal.update(block.plain);
      headerTexts.push(block.plain);
      continue;
    }
    if (at.header === undefined) {
      at.header = readHeader(name, Buffer.concat(headerTexts));
      yield { kind: 'header', header: at.header };
    }
    if (block.kind === 'R') {
      if (at.tables === at.header.tables.length)
        throw damaged('rows of a table that the header does not have');
      at.hash.update(block.plain);
      at.bytes += block.plain.length;
      yield { kind: 'rows', bytes: block.plain };
    } else if (block.kind === 'T') {
      const ended = parse(tableEnd, block.plain);
      const fault = ended === undefined ? 'the end of a table cannot be read' : faultOf(ended, at);
      if (ended === undefined || fault !== undefined) throw damaged(fault ?? '');
      seal.update(block.plain);
      Object.assign(at, { tables: at.tables + 1, rows: at.rows + ended.rows, bytes: 0 });
      at.hash = createHash('sha256');
      yield { kind: 'table', end: ended };
    } else if (block.kind === 'E') {
      const given = parse(backupEnd.extend({ sha256: z.string() }), block.plain);
      if (at.tables < at.header.tables.length) {
        throw damaged(`the backup ends after ${at.tables} of ${plural(at.header.tables.length, 'table')}`);
      }
      if (given?.tables !== at.tables || given.rows !== at.rows || given.sha256 !== seal.digest('hex')) {
        throw damaged('the end does not fit what comes before it');
      }
      end = { tables: given.tables, rows: given.rows };
    } else throw damaged('a block of an unknown kind');
  }
  // Only now is it sure that nothing follows.
  if (end === undefined) throw isCutOff(name, place(), position);
  yield { kind: 'end', end };
}

function placeOf({ header, tables }: Progress): string {
  if (header === undefined) return 'its header';
  const table = header.tables[tables];
  return table === undefined ? 'its end' : `table ${savedTableName(table)}`;
}

function readHeader(name: string, bytes: Buffer): BackupHeader {
  const text = bytes.toString('utf8').replace(/^airank-backup /, '');
  const found = jsonOf(text);
  const version = z.object({ format: z.number(), airank_version: z.string() }).safeParse(found);
  if (version.success && version.data.format > backupFormat) {
    const { format, airank_version: by } = version.data;
    throw new BackupError(
      `Expected ${name} to be a backup of format ${backupFormat}, got format ${format}, which airank-warehouse ${by} wrote. ` +
        `Update airank-warehouse to ${by} or later`,
    );
  }
  const header = backupHeader.safeParse(found);
  if (!header.success) throw isDamaged(name, 'its header', 0, 'it cannot be read');
  return header.data;
}

function faultOf(
  ended: z.infer<typeof tableEnd>,
  { header, tables, bytes, hash }: Progress,
): string | undefined {
  const table = header?.tables[tables];
  const expected = table === undefined ? 'none' : savedTableName(table);
  if (ended.table !== expected) return `expected the end of table ${expected}, got that of ${ended.table}`;
  if (ended.bytes !== bytes || ended.sha256 !== hash.digest('hex')) {
    return `the rows of table ${expected} are not those that were written`;
  }
  return undefined;
}

/** A line that begins with `\.`. */
function parse<Value>(shape: z.ZodType<Value>, line: Buffer): Value | undefined {
  const found = shape.safeParse(jsonOf(line.toString('utf8').replace(/^\\\. /, '')));
  return found.success ? found.data : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
