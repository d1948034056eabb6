// The rows of one table on their way into it.
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { AirankError } from '../../core/errors.ts';
import { count, plural } from '../../core/plural.ts';
import type { BackupPart, SavedTable, TableEnd } from './backup-parts.ts';
import { copyInText } from './copy-text.ts';
import { isRefused, LoadError } from './load-error.ts';

/** Takes parts up to the end of the table. @param table undefined: its rows are not wanted */
export async function copyIn(
  client: pg.ClientBase,
  parts: AsyncIterator<BackupPart>,
  table: SavedTable | undefined,
): Promise<TableEnd> {
  if (table === undefined) {
    for (;;) {
      const part = await nextPart(parts);
      if (part.kind === 'table') return part.end;
    }
  }
  const into = client.query(copyFrom(copyInText(table)));
  const done = finished(into);
  // Awaited below; Postgres may refuse a row while the next part is on its way.
  done.catch(() => undefined);
  // Where that fails the copy stays open, and ends with the connection.
  const end = await fill(into, parts, done).catch((error: unknown) => {
    throw error instanceof AirankError ? error : isRefused(table, error);
  });
  if (into.rowCount !== end.rows) {
    const why = `${count(into.rowCount)} of ${plural(end.rows, 'row')} came in`;
    throw new LoadError(`Table ${end.table}`, why);
  }
  return end;
}

async function fill(
  into: NodeJS.WritableStream,
  parts: AsyncIterator<BackupPart>,
  done: Promise<void>,
): Promise<TableEnd> {
  for (;;) {
    const part = await nextPart(parts);
    if (part.kind === 'table') {
      into.end();
      await done;
      return part.end;
    }
    if (part.kind !== 'rows') throw new LoadError('A table', `${part.kind} came in the middle of it`);
    const { bytes } = part;
    await Promise.race([
      done,
      new Promise<void>((resolve) => {
        into.write(bytes, () => resolve());
      }),
    ]);
  }
}

async function nextPart(parts: AsyncIterator<BackupPart>): Promise<BackupPart> {
  const next = await parts.next();
  if (next.done === true) throw new LoadError('A table', 'its end never came');
  return next.value;
}
