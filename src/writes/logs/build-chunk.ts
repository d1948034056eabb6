// A chunk out of the lines that are in its body.
import { createHash } from 'node:crypto';
import type { ChunkForm, LineCounts, LogChunk, SentLine } from './log-chunk.ts';

export const noLines: LineCounts = { read: 0, sent: 0, unreadable: 0, tooOld: 0, notBots: 0, nothing: 0 };

export interface ChunkParts {
  readonly form: ChunkForm;
  readonly fromByte: number;
  readonly toByte: number;
  readonly body: Buffer;
  readonly sent: readonly SentLine[];
  readonly counts: LineCounts;
}

export function buildChunk(parts: ChunkParts): LogChunk {
  const byBot = new Map<string, number>();
  const byStatus = new Map<number, number>();
  const byDay = new Map<string, number>();
  let oldestMs = Number.POSITIVE_INFINITY;
  let newestMs = Number.NEGATIVE_INFINITY;
  for (const line of parts.sent) {
    byBot.set(line.bot, (byBot.get(line.bot) ?? 0) + 1);
    byStatus.set(line.status, (byStatus.get(line.status) ?? 0) + 1);
    byDay.set(line.day, (byDay.get(line.day) ?? 0) + 1);
    oldestMs = Math.min(oldestMs, line.atMs);
    newestMs = Math.max(newestMs, line.atMs);
  }
  const hash = createHash('sha256').update(parts.body).digest('hex');
  const lines = parts.sent.length;
  return {
    ...parts,
    hash,
    lines,
    byBot,
    byStatus,
    byDay,
    oldest: lines === 0 ? null : new Date(oldestMs),
    newest: lines === 0 ? null : new Date(newestMs),
  };
}
