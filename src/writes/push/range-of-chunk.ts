// A chunk as it is noted: its place, hashes and counts, nothing of its lines.

import { botsVersion } from '../logs/find-bot.ts';
import type { LogChunk } from '../logs/log-chunk.ts';
import type { LogRange, OpenRange } from '../store/log-writes.ts';
import { noCounts, type RangeCounts } from '../store/range-counts.ts';
import { mostTailBytes } from '../store/write-sources.ts';
import type { WindowedLog } from './block-window.ts';
import type { PushOptions } from './push-options.ts';

export function rangeOf(
  chunk: LogChunk,
  log: Pick<WindowedLog, 'hashBefore'>,
  format: string,
  options: Pick<PushOptions, 'form' | 'allAgents' | 'anonymizeIp'>,
): LogRange {
  const { fromByte, toByte } = chunk;
  return {
    fromByte,
    toByte,
    tailHash: log.hashBefore(toByte, Math.min(toByte - fromByte, mostTailBytes)),
    bodyHash: chunk.hash,
    bodyBytes: chunk.body.length,
    lines: chunk.lines,
    filter: filterOf(format, options),
    counts: countsOf(chunk),
    visits: chunk.visits,
  };
}

/** What is left of a range of which a first piece is sent again. Its lines are not counted yet: there is at least one. */
export function restOf(range: OpenRange, piece: LogRange): LogRange {
  const { toByte } = range;
  const isTailWhole = toByte - piece.toByte >= mostTailBytes;
  return {
    fromByte: piece.toByte,
    toByte,
    tailHash: isTailWhole ? range.tailHash : undefined,
    bodyHash: undefined,
    bodyBytes: 0,
    lines: Math.max(range.lines - piece.lines, 1),
    filter: piece.filter,
    counts: noCounts,
    visits: [],
  };
}

const bots = `bots ${botsVersion()}`;

/** What chose and shaped the lines. */
function filterOf(
  format: string,
  { form, allAgents, anonymizeIp }: Pick<PushOptions, 'form' | 'allAgents' | 'anonymizeIp'>,
): string {
  return [format, form, allAgents ? 'all agents' : bots, anonymizeIp ? 'anonymised' : 'addresses'].join(', ');
}

export function countsOf({ counts, byBot, byStatus, byDay }: LogChunk): RangeCounts {
  return {
    read: counts.read,
    sent: counts.sent,
    unreadable: counts.unreadable,
    too_old: counts.tooOld,
    not_bots: counts.notBots,
    blank: counts.nothing,
    by_bot: Object.fromEntries(byBot),
    by_status: Object.fromEntries(byStatus),
    by_day: Object.fromEntries(byDay),
  };
}
