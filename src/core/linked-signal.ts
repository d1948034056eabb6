// A signal that follows others, released by hand: AbortSignal.any leaks on long-lived signals (Node 20).
import { setMaxListeners } from 'node:events';

export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Aborts this signal only. */
  abort(reason: unknown): void;
  /** Stops following. Call it when the work is over. */
  release(): void;
}

/** Aborted, with the same reason, as soon as one of `sources` is. */
export function linkSignals(...sources: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController();
  const followers = sources.map((source) => {
    // A whole run hangs on one signal; many followers are no leak here.
    setMaxListeners(0, source);
    const follow = () => controller.abort(source.reason);
    if (source.aborted) follow();
    else source.addEventListener('abort', follow, { once: true });
    return () => source.removeEventListener('abort', follow);
  });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => {
      for (const unfollow of followers) unfollow();
    },
  };
}

/** Aborted so long after `source` is, so that what is on its way may end by itself. */
export function signalWithGrace(source: AbortSignal, graceMs: number): Omit<LinkedSignal, 'abort'> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    timer = setTimeout(() => controller.abort(source.reason), graceMs);
  };
  setMaxListeners(0, source);
  if (source.aborted) stop();
  else source.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      source.removeEventListener('abort', stop);
    },
  };
}
