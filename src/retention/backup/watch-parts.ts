// How far a backup is, told while its parts go by.
import { type BackupPart, type SavedTable, savedTableName } from './backup-parts.ts';

export interface BackupProgress {
  /** That is copied now. */
  readonly table: string;
  readonly rows: number;
  /** 0 to 1, by the sizes that the tables had at the beginning. */
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
