// Single keys of somebody at a terminal, without the return key.

export interface Keys {
  /** The next key; undefined: Ctrl-C, Ctrl-D, a signal, or nobody is there any more. */
  next(): Promise<string | undefined>;
  close(): void;
}

/** @param onStop Ctrl-C or Ctrl-D; a terminal that gives single keys sends no signal for them */
export function readKeys(stdin: NodeJS.ReadStream, signal: AbortSignal, onStop?: () => void): Keys {
  const typed: string[] = [];
  let isOver = signal.aborted;
  let wake: () => void = () => {};
  const over = () => {
    isOver = true;
    wake();
  };
  const take = (chunk: Buffer | string) => {
    for (const key of String(chunk)) {
      if (key === '\u0003' || key === '\u0004') {
        isOver = true;
        onStop?.();
      } else typed.push(key);
    }
    wake();
  };
  stdin.setRawMode?.(true);
  stdin.on('data', take);
  stdin.once('end', over);
  signal.addEventListener('abort', over, { once: true });
  stdin.resume();
  return {
    next: async () => {
      while (typed.length === 0 && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      // What was typed before the stop is still an answer.
      return typed.shift();
    },
    close: () => {
      stdin.off('data', take);
      stdin.off('end', over);
      signal.removeEventListener('abort', over);
      stdin.setRawMode?.(false);
      stdin.pause();
    },
  };
}
