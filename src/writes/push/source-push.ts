// One log on its way: what every step of its push needs, and how its lines are read.
import type { DeliverDeps } from '../deliver.ts';
import { chunkLog, mayGrow } from '../logs/chunk-log.ts';
import { createFindBot } from '../logs/find-bot.ts';
import type { LogChunk } from '../logs/log-chunk.ts';
import type { FoundFormat } from '../logs/log-event.ts';
import type { WindowedLog } from './block-window.ts';
import type { FoundSource } from './find-source.ts';
import type { OutageBrake } from './outage-brake.ts';
import type { PushOptions } from './push-options.ts';
import type { PushListener, SourceReport } from './push-summary.ts';

export interface SourcePush {
  readonly deps: DeliverDeps;
  readonly options: PushOptions;
  readonly listener: PushListener;
  readonly log: WindowedLog;
  readonly format: FoundFormat;
  readonly source: FoundSource;
  readonly report: SourceReport;
  /** Of the whole push. */
  readonly brake: OutageBrake;
}

const findBot = createFindBot();

/** Of a range that was planned earlier, as of then: so that the same lines are too old, and the body is the same. */
export function chunksOf(
  push: SourcePush,
  range: { readonly fromByte: number; readonly toByte?: number },
  at: Date,
): AsyncGenerator<LogChunk> {
  const { log, format, options, report, listener } = push;
  return chunkLog(log, format, range, {
    form: options.form,
    findBot,
    allAgents: options.allAgents,
    anonymizeIp: options.anonymizeIp,
    nowMs: at.getTime(),
    lastLine: range.toByte === undefined ? lastLineOf(log) : 'take',
    onReject: (line) => listener.onReject(report, line),
  });
}

function lastLineOf(log: WindowedLog) {
  if (log.sizeBytes === null) return 'take_readable';
  return mayGrow(log) ? 'leave' : 'take';
}
