// What goes into one upload, and what is known of it without reading it again.
import type { VisitTally } from '../store/range-counts.ts';

export type ChunkForm = 'text' | 'json';

/** Lines by what became of them. `read` is the sum of the others. */
export interface LineCounts {
  readonly read: number;
  readonly sent: number;
  readonly unreadable: number;
  /** Older than the service has logs. */
  readonly tooOld: number;
  readonly notBots: number;
  /** Blank lines, comments, headers. */
  readonly nothing: number;
}

export interface LogChunk {
  readonly form: ChunkForm;
  /** Of the decompressed content, with the lines that were left out on the way and after the last one sent. */
  readonly fromByte: number;
  readonly toByte: number;
  /** Empty where no line is sent: then there is nothing to upload. */
  readonly body: Buffer;
  /** SHA-256 of the body, in hex. */
  readonly hash: string;
  /** Lines, or events, in the body. */
  readonly lines: number;
  readonly counts: LineCounts;
  /** Sent lines by bot; those of no bot are ''. */
  readonly byBot: ReadonlyMap<string, number>;
  readonly byStatus: ReadonlyMap<number, number>;
  /** By day in the zone of the log, as 2026-04-03. */
  readonly byDay: ReadonlyMap<string, number>;
  readonly visits: readonly VisitTally[];
  readonly oldest: Date | null;
  readonly newest: Date | null;
  /** Where each line is, for `splitChunk`. */
  readonly sent: readonly SentLine[];
}

export interface SentLine {
  readonly fromByte: number;
  /** In the body, without what stands between it and the next. */
  readonly bodyFrom: number;
  readonly bodyTo: number;
  readonly host: string;
  readonly bot: string;
  readonly status: number;
  readonly day: string;
  readonly atMs: number;
  /** Counts of the chunk before this line. */
  readonly before: LineCounts;
}

/** A line that could not be read. It may hold addresses. */
export interface RejectedLine {
  /** From 1 at the byte where reading began. */
  readonly number: number;
  readonly fromByte: number;
  readonly why: string;
  /** Only the beginning of a line that is too long. */
  readonly text: string;
}
