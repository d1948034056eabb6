// What a push of logs says of itself.
import { messageOf } from '../../core/errors.ts';
import type { Delivered, UnknownPolicy } from '../deliver.ts';
import { FormatError, type WantedFormat } from '../logs/find-format.ts';
import type { ChunkForm, RejectedLine } from '../logs/log-chunk.ts';
import type { RangeCounts } from '../store/log-writes.ts';

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

/** How a push of logs is to go. */
export interface PushOptions {
  readonly account: string;
  readonly wanted: WantedFormat;
  readonly form: ChunkForm;
  readonly allAgents: boolean;
  readonly anonymizeIp: boolean;
  readonly unknown: UnknownPolicy;
  /** What to do with uploads that were refused for their content before. */
  readonly refused: UnknownPolicy;
  /** The logs were never pushed before, whatever they begin with. */
  readonly isNew: boolean;
  /** The job that pushes; undefined: by hand. */
  readonly job: string | undefined;
  /** Nothing is sent or written. */
  readonly isDry: boolean;
}

/** What flags and jobs say of a push; the rest is as usual. */
interface GivenPush {
  readonly account: string;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  readonly as?: ChunkForm | undefined;
  readonly allAgents?: boolean | undefined;
  readonly anonymizeIp?: boolean | undefined;
  readonly unknown?: UnknownPolicy | undefined;
  readonly refused?: UnknownPolicy | undefined;
  readonly isNew?: boolean | undefined;
  readonly job?: string | undefined;
  readonly isDry?: boolean | undefined;
}

export function pushOptions(given: GivenPush): PushOptions {
  const { account, format, pattern, allAgents = false } = given;
  return {
    account,
    wanted: { format, pattern },
    form: given.as ?? 'text',
    allAgents,
    // Whoever asks for the lines of people gets no whole addresses, unless asked for them too.
    anonymizeIp: given.anonymizeIp ?? allAgents,
    unknown: given.unknown ?? 'report',
    refused: given.refused ?? 'report',
    isNew: given.isNew ?? false,
    job: given.job,
    isDry: given.isDry ?? false,
  };
}

/** An upload that needs somebody's decision. */
export interface OpenUpload {
  readonly id: number;
  readonly lines: number;
  /** HTTP status, or what went wrong. */
  readonly why: string;
}

/** What became of one log. */
export interface SourceReport {
  readonly name: string;
  /** Undefined: an empty log, which looks like any other empty one. */
  readonly sourceId: number | undefined;
  readonly format: string;
  /** By what the format was recognised. */
  readonly formatWhy: string;
  /** It was read before, up to `fromByte`. */
  readonly known: boolean;
  readonly fromByte: number;
  /** It begins as a log that was sent, and ends before: nothing of it was sent. */
  isShorter: boolean;
  toByte: number;
  /** Of a last line without a line end, which waits until it is whole. */
  unfinishedBytes: number;
  /** Of the ranges that were read now. */
  counts: RangeCounts;
  /** Uploads that were accepted, and the lines in them; of a dry run: that would be sent. */
  uploads: number;
  acceptedLines: number;
  readonly refused: OpenUpload[];
  readonly unknown: OpenUpload[];
  /** Decided to be left as they are. */
  skipped: number;
}

export interface PushListener {
  /** `sizeBytes`: of the content where that is known. `readTo`: how far it is read, in bytes. */
  readonly onSource: (report: SourceReport, sizeBytes: number | undefined, readTo: () => number) => void;
  readonly onReject: (report: SourceReport, line: RejectedLine) => void;
}

/** What keeps a push from going on; the next one does. */
export type PushStop =
  | Extract<Delivered, { kind: 'deferred' }>
  /** The outcome of two uploads in a row is unknown, and more would be unknown too. This log was read up to there, in bytes. */
  | { readonly kind: 'outage'; readonly name: string; readonly readTo: number };

export interface PushSummary {
  readonly sources: readonly SourceReport[];
  /** Logs that were not looked at, because something ended the push before. */
  readonly notReached: readonly string[];
  /** Logs that could not be read, or not to their end; the others were pushed all the same. */
  readonly failed: readonly FailedLog[];
  readonly stop: PushStop | undefined;
  /** What ended it; undefined: nothing did. */
  readonly failure: unknown;
  /** Uploads of logs that were not given now, and that wait for them. */
  readonly elsewhere: readonly Elsewhere[];
}

export interface FailedLog {
  readonly path: string;
  readonly error: unknown;
}

interface Elsewhere {
  readonly name: string;
  readonly uploads: number;
}
