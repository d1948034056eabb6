// Waits for what is under way, so long and no longer.
import { type Clock, sleepUntilStopped } from '../../core/clock.ts';

/** The timer ends with the work: it keeps no process alive. Never rejects when `work` does not. */
export async function endWithin(clock: Clock, work: Promise<unknown>, mostMs: number): Promise<void> {
  const ended = new AbortController();
  const limit = sleepUntilStopped(clock, mostMs, ended.signal);
  try {
    await Promise.race([work, limit]);
  } finally {
    ended.abort();
  }
}
