// A run may take hours, and views read what is not kept from the versions: so what was published is kept
// every minute. Never fails a run.
import { messageOf } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { refreshKept } from '../warehouse/bi/refresh-kept.ts';
import type { Executor } from '../warehouse/database.ts';

const defaultIntervalMs = 60_000;
/** Of the time, as after the run. */
const share = 0.05;

/** @returns ends it, and waits for what is going on; may be called again */
export function keepDuringRun(
  db: Executor,
  logger: Logger,
  intervalMs = defaultIntervalMs,
): () => Promise<void> {
  let going: Promise<void> | undefined;
  const keep = async () => {
    try {
      await refreshKept(db, { budgetMs: intervalMs * share });
    } catch (error) {
      // The end of the run tries again, and says so when that fails as well.
      logger.debug({ event: 'views.not_kept', error: messageOf(error) });
    }
    going = undefined;
  };
  const timer = setInterval(() => {
    going ??= keep();
  }, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await going;
  };
}
