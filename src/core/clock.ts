// Time as a value, so that tests and simulations run on virtual time.

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `delayMs`; rejects with the signal's reason when it is aborted first. */
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
