// Looks at a zstd stream as it passes: where blocks end, and how far back a frame may refer.

/** fzstd 0.1.1 reads 25 bits of a distance, and takes a wrong one for longer. */
export const maxWindowBytes = 2 ** 26;

const frameMagic = 0xfd2fb528;

type State =
  | { readonly kind: 'frame' }
  | { readonly kind: 'block'; readonly hasChecksum: boolean }
  /** Bytes without a meaning to us, and what follows them. */
  | { readonly kind: 'pass'; bytes: number; readonly next: State };

/** Throws a RangeError with the size in MiB where a window is larger than fzstd can read. */
export class ZstdFrames {
  #state: State = { kind: 'frame' };
  #held = Buffer.alloc(0);

  /** Pieces that end where a block ends, so that each unpacks to at most 128 KiB. */
  *cut(input: Buffer): Generator<Buffer> {
    const bytes = this.#held.length === 0 ? input : Buffer.concat([this.#held, input]);
    let at = 0;
    let from = 0;
    for (;;) {
      const passed = this.#step(bytes, at);
      if (passed === 0) break;
      at += passed;
      if (this.#state.kind === 'pass') continue;
      yield bytes.subarray(from, at);
      from = at;
    }
    if (at > from) yield bytes.subarray(from, at);
    this.#held = Buffer.from(bytes.subarray(at));
  }

  /** A header of which the rest did not come. */
  rest(): Buffer {
    return this.#held;
  }

  /** How many bytes are understood and passed; 0 where more must come. */
  #step(bytes: Buffer, at: number): number {
    const state = this.#state;
    const leftBytes = bytes.length - at;
    if (state.kind === 'pass') {
      const passed = Math.min(leftBytes, state.bytes);
      state.bytes -= passed;
      if (state.bytes === 0) this.#state = state.next;
      return passed;
    }
    return state.kind === 'block'
      ? this.#block(bytes, at, leftBytes, state.hasChecksum)
      : this.#frame(bytes, at, leftBytes);
  }

  #block(bytes: Buffer, at: number, leftBytes: number, hasChecksum: boolean): number {
    if (leftBytes < 3) return 0;
    const header = bytes.readUIntLE(at, 3);
    const isLast = (header & 1) === 1;
    const isRepeated = ((header >> 1) & 3) === 1;
    const then: State = isLast ? afterFrame(hasChecksum) : { kind: 'block', hasChecksum };
    this.#pass(isRepeated ? 1 : header >> 3, then);
    return 3;
  }

  #frame(bytes: Buffer, at: number, leftBytes: number): number {
    // No frame is shorter, with its first block.
    if (leftBytes < 8) return 0;
    if (bytes.readUInt32LE(at) !== frameMagic) {
      this.#pass(bytes.readUInt32LE(at + 4), { kind: 'frame' });
      return 8;
    }
    const flags = bytes[at + 4] ?? 0;
    if (leftBytes < headerBytes(flags)) return 0;
    const windowBytes = windowOf(bytes, at, flags);
    if (windowBytes > maxWindowBytes) throw new RangeError(`${Math.ceil(windowBytes / 2 ** 20)} MiB`);
    this.#state = { kind: 'block', hasChecksum: (flags & 4) !== 0 };
    return headerBytes(flags);
  }

  #pass(bytes: number, next: State): void {
    this.#state = bytes === 0 ? next : { kind: 'pass', bytes, next };
  }
}

function afterFrame(hasChecksum: boolean): State {
  return hasChecksum ? { kind: 'pass', bytes: 4, next: { kind: 'frame' } } : { kind: 'frame' };
}

function headerBytes(flags: number): number {
  const single = (flags & 32) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3] ?? 0;
  return 5 + (single ? 0 : 1) + dictionaryBytes + sizeBytes(flags);
}

function sizeBytes(flags: number): number {
  const kind = flags >> 6;
  return kind === 0 ? (flags & 32) >> 5 : 2 ** kind;
}

function windowOf(bytes: Buffer, at: number, flags: number): number {
  if ((flags & 32) === 0) {
    const descriptor = bytes[at + 5] ?? 0;
    const base = 2 ** (10 + (descriptor >> 3));
    return base + (base / 8) * (descriptor & 7);
  }
  const size = sizeBytes(flags);
  const from = at + headerBytes(flags) - size;
  if (size === 8) return Number(bytes.readBigUInt64LE(from));
  return bytes.readUIntLE(from, size) + (size === 2 ? 256 : 0);
}
