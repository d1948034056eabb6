// Takes so many bytes at a time from a stream of pieces of any size.

export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #position = 0;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Bytes taken so far. */
  get position(): number {
    return this.#position;
  }

  /** Fewer only at the end of the stream. */
  async take(wanted: number): Promise<Buffer> {
    while (this.#waitingBytes < wanted) {
      const { done, value } = await this.#pieces.next();
      if (done === true) break;
      this.#waiting.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      this.#waitingBytes += value.byteLength;
    }
    const all = Buffer.concat(this.#waiting);
    const taken = all.subarray(0, wanted);
    this.#waiting = [all.subarray(taken.length)];
    this.#waitingBytes = all.length - taken.length;
    this.#position += taken.length;
    return taken;
  }

  /** Lets go of the stream. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}
