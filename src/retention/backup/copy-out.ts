// The rows of one table as Postgres writes them for COPY, in large pieces, and what they come to.
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type SavedTable, savedTableName, type TableEnd } from './backup-parts.ts';
import { blockBytes } from './block.ts';
import { copyOutText } from './copy-text.ts';

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
