// Time as a value, so that tests and simulations run on virtual time; and signals that end a wait.
import { setMaxListeners } from 'node:events';

/** A signal that follows others, released by hand: AbortSignal.any leaks on long-lived signals (Node 20). */
interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  release(): void;
}

/** Aborts with the same reason as soon as one of `sources` does. */
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

/** Aborts this long after `source` does, so that what is on its way may end by itself. */
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

/** A sleep that ends early when something has changed. */
interface WakeUp {
  /** Resolves after `delayMs` or at the next `wake`; rejects when the signal is aborted. */
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
  wake(): void;
}

export function createWakeUp(clock: Clock): WakeUp {
  const sleepers = new Set<LinkedSignal>();
  return {
    wait: async (delayMs, signal) => {
      const woken = linkSignals(signal);
      sleepers.add(woken);
      try {
        await clock.sleep(delayMs, woken.signal);
      } catch (error) {
        if (!woken.signal.aborted) throw error;
      } finally {
        sleepers.delete(woken);
        woken.release();
      }
      signal.throwIfAborted();
    },
    wake: () => {
      // Without a reason each would cost an exception and its stack.
      for (const sleeper of sleepers) sleeper.abort('woken');
    },
  };
}

/** Call `release` when the work is over. */
export function limitTime(timeoutMs: number, ...sources: readonly AbortSignal[]): LinkedSignal {
  const linked = linkSignals(...sources);
  const timer = setTimeout(() => linked.abort(new Error(`not done after ${timeoutMs} ms`)), timeoutMs);
  return {
    ...linked,
    release: () => {
      clearTimeout(timer);
      linked.release();
    },
  };
}

export interface Clock {
  now(): number;
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      // setTimeout fires at once for more than 2^31-1 ms (Node's own limit).
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        Math.min(Math.max(delayMs, 0), 2 ** 31 - 1),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};

/** Resolves after `delayMs`, or at once when the signal says stop. */
export async function sleepUntilStopped(
  clock: Pick<Clock, 'sleep'>,
  delayMs: number,
  stop: AbortSignal | undefined,
): Promise<void> {
  await clock.sleep(delayMs, stop).catch(() => undefined);
}

/** Waits for `work`, at most this long. The timer keeps no process alive. Rejects only if `work` does. */
export async function endWithin(clock: Clock, work: Promise<unknown>, mostMs: number): Promise<void> {
  const ended = new AbortController();
  const limit = sleepUntilStopped(clock, mostMs, ended.signal);
  try {
    await Promise.race([work, limit]);
  } finally {
    ended.abort();
  }
}
