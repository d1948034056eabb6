// The body of an upload while it grows: text, or a JSON list of events, up to what the API takes.
import type { ChunkForm } from './log-chunk.ts';

export interface BodyLimits {
  readonly maxBytes: number;
  readonly maxLines: number;
}

/** api.md, "Write routes". */
export const bodyLimits: Readonly<Record<ChunkForm, BodyLimits>> = {
  text: { maxBytes: 5_000_000, maxLines: Number.POSITIVE_INFINITY },
  json: { maxBytes: 1_000_000, maxLines: 5_000 },
};

interface Frame {
  readonly head: string;
  readonly between: string;
  readonly tail: string;
}

const frames: Readonly<Record<ChunkForm, Frame>> = {
  text: { head: '', between: '\n', tail: '\n' },
  json: { head: '{"eventos":[', between: ',', tail: ']}' },
};

/** Bytes are copied in at once: a piece of a line would hold its whole block in memory. */
export class ChunkBody {
  readonly #frame: Frame;
  readonly #limits: BodyLimits;
  readonly #bytes: Buffer;
  #length: number;
  #lines = 0;

  constructor(form: ChunkForm, limits: BodyLimits) {
    this.#frame = frames[form];
    this.#limits = limits;
    this.#bytes = Buffer.allocUnsafe(limits.maxBytes);
    this.#length = this.#bytes.write(this.#frame.head);
  }

  /** The place of the line in the body, or null where it does not fit. */
  add(line: string): { readonly bodyFrom: number; readonly bodyTo: number } | null {
    const between = this.#lines === 0 ? '' : this.#frame.between;
    const bodyFrom = this.#length + between.length;
    const bodyTo = bodyFrom + Buffer.byteLength(line);
    if (this.#lines === this.#limits.maxLines || bodyTo + this.#frame.tail.length > this.#limits.maxBytes)
      return null;
    this.#bytes.write(between, this.#length);
    this.#bytes.write(line, bodyFrom);
    this.#length = bodyTo;
    this.#lines += 1;
    return { bodyFrom, bodyTo };
  }

  /** What was added, as a body of its own; then it is empty again. */
  take(): Buffer {
    const filled = this.#lines > 0;
    const tail = filled ? this.#bytes.write(this.#frame.tail, this.#length) : 0;
    const body = Buffer.from(this.#bytes.subarray(0, filled ? this.#length + tail : 0));
    this.#length = this.#frame.head.length;
    this.#lines = 0;
    return body;
  }
}

/** The body of some lines of another. */
export function cutBody(form: ChunkForm, body: Buffer, bodyFrom: number, bodyTo: number): Buffer {
  const { head, tail } = frames[form];
  return Buffer.concat([Buffer.from(head), body.subarray(bodyFrom, bodyTo), Buffer.from(tail)]);
}

/** Where the first line of a body begins. */
export function headBytes(form: ChunkForm): number {
  return frames[form].head.length;
}
