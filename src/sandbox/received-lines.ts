// A record of the uploaded lines, to compare with a sender's books. Its memory does not grow with the lines.
import { createHash } from 'node:crypto';

export interface UploadStats {
  readonly uploads: number;
  readonly lines: number;
  readonly dropped: number;
  /** The sum of the hashes of all of them (`lineHash`), modulo 2^48: the order of uploads does not matter. */
  readonly hash: number;
  /** Lines that have a number: `id=NNN` in their path. */
  readonly numbered: number;
  /** Numbered lines that had come before, and the first numbers of those. */
  readonly repeated: number;
  readonly firstRepeated: readonly number[];
}

/** Numbers below this are remembered, in a bit each: 16 MB at most. */
const mostNumbers = 2 ** 27;
const mostShown = 10;
const hashRange = 2 ** 48;
const marker = /\bid=(\d{1,9})\b/;

/** The first 48 bits of the SHA-256 of a line without its end. */
export function lineHash(line: string): number {
  return createHash('sha256').update(line).digest().readUIntBE(0, 6);
}

export class ReceivedLines {
  #uploads = 0;
  #lines = 0;
  #dropped = 0;
  #hash = 0;
  #numbered = 0;
  #repeated = 0;
  readonly #firstRepeated: number[] = [];
  #seen = new Uint8Array(1024);

  add(lines: readonly string[], dropped: number): void {
    this.#uploads += 1;
    this.#lines += lines.length - dropped;
    this.#dropped += dropped;
    for (const line of lines) {
      this.#hash = (this.#hash + lineHash(line)) % hashRange;
      const number = marker.exec(line)?.[1];
      if (number !== undefined) this.#note(Number(number));
    }
  }

  has(number: number): boolean {
    return ((this.#seen[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }

  stats(): UploadStats {
    return {
      uploads: this.#uploads,
      lines: this.#lines,
      dropped: this.#dropped,
      hash: this.#hash,
      numbered: this.#numbered,
      repeated: this.#repeated,
      firstRepeated: [...this.#firstRepeated],
    };
  }

  #note(number: number): void {
    if (number >= mostNumbers) return;
    this.#numbered += 1;
    if (this.has(number)) {
      this.#repeated += 1;
      if (this.#firstRepeated.length < mostShown) this.#firstRepeated.push(number);
      return;
    }
    const at = number >> 3;
    if (at >= this.#seen.length) {
      const larger = new Uint8Array(Math.max(at + 1, this.#seen.length * 2));
      larger.set(this.#seen);
      this.#seen = larger;
    }
    this.#seen[at] = (this.#seen[at] ?? 0) | (1 << (number & 7));
  }
}
