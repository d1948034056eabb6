// A chunk out of the lines that are in its body.
import { createHash } from 'node:crypto';
import { dayMs } from '../../core/run-date.ts';
import type { VisitTally } from '../store/range-counts.ts';
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
    visits: visitsOf(parts.sent),
    oldest: lines === 0 ? null : new Date(oldestMs),
    newest: lines === 0 ? null : new Date(newestMs),
  };
}

/** Who asks says the host, so somebody may make them up without end. */
const mostHosts = 100;

/** Lines of nobody's bot are no visits of bots. */
function visitsOf(sent: readonly SentLine[]): readonly VisitTally[] {
  const hosts = new Set<string>();
  const tallies = new Map<string, VisitTally & { visits: number }>();
  for (const { host: named, bot, status, atMs } of sent) {
    if (bot === '') continue;
    if (hosts.size < mostHosts) hosts.add(named);
    const host = hosts.has(named) ? named : '';
    const day = Math.floor(atMs / dayMs);
    const key = `${day} ${status} ${host} ${bot}`;
    const tally = tallies.get(key);
    if (tally !== undefined) tally.visits += 1;
    else
      tallies.set(key, {
        host,
        bot,
        day: new Date(day * dayMs).toISOString().slice(0, 10),
        status,
        visits: 1,
      });
  }
  return [...tallies.values()];
}
