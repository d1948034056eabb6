// Notes what became of a write also when the database is away for a moment: nobody else can know it.
import type { Clock } from '../core/clock.ts';
import { isDisturbance } from '../db/sqlstate.ts';

/** A restart of the database takes some seconds; then a stop or an outage must not be held up. */
const pausesMs: readonly number[] = [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000];

/** Does `work`, and again after failures of the database, so it must be safe to do twice. A stop does not end it. */
export async function outlast<Result>(work: () => Promise<Result>, clock: Clock): Promise<Result> {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (!isDisturbance(error)) throw error;
      await clock.sleep(pauseMs);
    }
  }
  return await work();
}
