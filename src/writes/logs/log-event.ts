// What a line of an access log holds, whatever its format.

/** One request, as a line of a log has it. */
export interface LogEvent {
  readonly at: Date;
  /** Offset of the zone that the log writes, 0 for UTC. A line that is written again is in that zone. */
  readonly zoneMinutes: number;
  /** As the line writes it, maybe with a port, or something else that the visitor made up. */
  readonly host: string | null;
  readonly ip: string | null;
  /** `GET` where the log has no method; `-` where the server got no request line that can be read. */
  readonly method: string;
  /** With its query string, as logged. */
  readonly path: string;
  /** `HTTP/1.1` where the log has none. */
  readonly protocol: string;
  readonly status: number;
  readonly bytes: number | null;
  readonly referrer: string | null;
  readonly userAgent: string | null;
  readonly durationMs: number | null;
}

export type LineReading =
  | {
      readonly kind: 'event';
      readonly event: LogEvent;
      /** The part of the line that is in combined format already. Where `isSendable` takes it, it is sent as it is. */
      readonly combined: string | null;
    }
  | { readonly kind: 'unreadable'; readonly why: string }
  /** Blank lines, comments, headers. */
  | { readonly kind: 'nothing' };

/** Reads the lines of one file in their order. It knows the state of the file: its header, its `#Fields`. */
export interface LogReader {
  read(line: string): LineReading;
}

/** A format that was found or asked for. */
export interface FoundFormat {
  readonly name: string;
  /** By what it was recognised, for people. */
  readonly why: string;
  /** Whether its lines have the user agent, by which bots are found. */
  readonly hasAgents: boolean;
  /** Lines mean nothing without those at the head of the file, so reading always begins at byte 0. */
  readonly needsHead: boolean;
  /** Its lines are the elements of a JSON array. */
  readonly inArray?: true;
  reader(): LogReader;
}

export const nothing: LineReading = { kind: 'nothing' };

export function unreadable(why: string): LineReading {
  return { kind: 'unreadable', why };
}

/** A format that `findFormat` may find. */
export interface LogFormat {
  readonly name: string;
  /** The format as it is in a file with these lines, or null where they cannot be of it. */
  find(sample: readonly string[]): FoundFormat | null;
}
