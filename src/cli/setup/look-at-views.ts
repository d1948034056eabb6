// After a batch: which curated views are ready. The batch has ended, so nothing here makes it fail.
import type { Logger } from '../../core/logger.ts';
import type { Executor } from '../../db/database.ts';
import { type ReadinessSummary, readReadiness, summarize } from '../../status/view-readiness.ts';

/** Null: people wait for the end of a stopped command, or the look failed. */
export async function lookAtViews(
  db: Executor,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<ReadinessSummary | null> {
  if (signal.aborted) return null;
  try {
    return summarize(await readReadiness(db));
  } catch (error) {
    logger.warn({ event: 'views.unread', err: error });
    return null;
  }
}
