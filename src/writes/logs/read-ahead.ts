// Looks at the beginning of a stream and gives it back whole.

export interface ReadAhead {
  /** At least as many bytes as were asked for, where the stream has them. */
  readonly head: Buffer;
  /** The whole stream, once. An error that came while looking comes where it belongs. */
  all(): AsyncGenerator<Uint8Array>;
  /** Reads no further. */
  stop(): Promise<void>;
}

export async function readAhead(source: AsyncIterable<Uint8Array>, bytes: number): Promise<ReadAhead> {
  const rest = source[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let seenBytes = 0;
  let failed: { readonly error: unknown } | null = null;
  let ended = false;
  while (seenBytes < bytes && !ended) {
    try {
      const next = await rest.next();
      ended = next.done === true;
      if (next.done !== true) {
        seen.push(next.value);
        seenBytes += next.value.length;
      }
    } catch (error) {
      failed = { error };
      ended = true;
    }
  }
  return {
    head: Buffer.concat(seen),
    async *all() {
      while (seen.length > 0) yield seen.shift() ?? new Uint8Array();
      if (failed !== null) throw failed.error;
      if (!ended) yield* { [Symbol.asyncIterator]: () => rest };
    },
    stop: async () => {
      await rest.return?.();
    },
  };
}
