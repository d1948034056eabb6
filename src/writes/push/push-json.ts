// What became of a push of logs, for machines and for the batch of a job.
import { messageOf } from '../../core/errors.ts';
import { FormatError } from '../logs/find-format.ts';
import type { FailedLog, PushSummary } from './push-summary.ts';

/** For those who may not see lines of the log. */
export function failureText(error: unknown): string {
  return error instanceof FormatError ? error.withoutLine : messageOf(error);
}

function failedJson({ path, error }: FailedLog) {
  return { path, problem: failureText(error) };
}

export function pushJson(
  { sources, notReached, failed, stop, elsewhere }: PushSummary,
  rejects: string | undefined,
) {
  const deferred = stop?.kind === 'deferred' ? stop : undefined;
  return {
    sources: sources.map((source) => ({
      name: source.name,
      source_id: source.sourceId ?? null,
      format: source.format,
      known: source.known,
      shorter: source.isShorter,
      from_byte: source.fromByte,
      to_byte: source.toByte,
      unfinished_bytes: source.unfinishedBytes,
      uploads: source.uploads,
      lines: source.acceptedLines,
      counts: source.counts,
      refused: source.refused,
      unknown: source.unknown,
      skipped: source.skipped,
    })),
    deferred_until: deferred?.until.toISOString() ?? null,
    deferred_why: deferred?.why ?? null,
    outage: stop?.kind === 'outage' ? { name: stop.name, read_to: stop.readTo } : null,
    not_reached: notReached,
    failed: failed.map(failedJson),
    elsewhere,
    rejects: rejects ?? null,
  };
}
