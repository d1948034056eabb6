// Backups that no warehouse is needed for.
import { createHash } from 'node:crypto';
import type { BackupPart, SavedTable } from '../../src/retention/backup/backup-parts.ts';
import { encodeBackup } from '../../src/retention/backup/encode-backup.ts';

const columns = [{ name: 'id', type: 'bigint' }];

/** @param tables of schema sync, with the pieces in which their rows come */
export function* madeParts(
  tables: Readonly<Record<string, readonly string[]>>,
  { format = 1, by = '9.9.9' } = {},
): Generator<BackupPart> {
  const saved = Object.keys(tables).map((table): SavedTable => {
    return { schema: 'sync', table, columns, about_rows: 1, about_bytes: 1 };
  });
  const header = {
    format: format as 1,
    airank_version: by,
    postgres_version: '18.4',
    made_at: '2026-04-03T00:00:00.000Z',
    migrations: ['000001_tables_01'],
    tables: saved,
    numbers: [],
  };
  yield { kind: 'header', header };
  let all = 0;
  for (const [table, pieces] of Object.entries(tables)) {
    for (const piece of pieces) yield { kind: 'rows', bytes: Buffer.from(piece) };
    const text = pieces.join('');
    const rows = text.split('\n').length - 1;
    all += rows;
    const sha256 = createHash('sha256').update(text).digest('hex');
    yield { kind: 'table', end: { table: `sync.${table}`, rows, bytes: Buffer.byteLength(text), sha256 } };
  }
  yield { kind: 'end', end: { tables: saved.length, rows: all } };
}

export async function encode(parts: Iterable<BackupPart>): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for await (const block of encodeBackup(fromList(parts))) blocks.push(block);
  return Buffer.concat(blocks);
}

export async function* fromList<Value>(values: Iterable<Value>): AsyncGenerator<Value> {
  yield* values;
}
