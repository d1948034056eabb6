// What a push of logs says of itself.

import type { Delivered } from '../deliver.ts';
import type { RejectedLine } from '../logs/log-chunk.ts';
import type { RangeCounts } from '../store/range-counts.ts';

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
  /** Undefined: an empty log, of which nobody can tell which one it is. */
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
  /** Nobody knows of two uploads in a row, and more would be unknown too. This log was read up to there, in bytes. */
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

export interface Elsewhere {
  readonly name: string;
  readonly uploads: number;
}
