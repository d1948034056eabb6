// A batch by hand: its progress while it works, alerts and views after it, and what came of it on stdout.

import { systemClock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Executor } from '../../db/database.ts';
import { type ReadinessSummary, readReadiness, summarize } from '../../status/view-readiness.ts';
import type { BatchSummary } from '../../sync/run/summary.ts';
import type { SyncDeps } from '../../sync/run/sync-options.ts';
import { summaryLines } from '../print/print-summary.ts';
import { createProgress } from '../print/progress.ts';
import { columnsOf } from '../print/wrap.ts';
import { alertAfterSync } from './alerts-after-sync.ts';
import { type Settings, type Terminal, withWarehouse } from './context.ts';

/** Null: people wait for the end of a stopped command, or the look failed. */
async function lookAtViews(
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

/** @returns the exit code; undefined where `run` gave nothing, and nothing is printed */
export async function runAndPrint(
  terminal: Terminal,
  settings: Settings,
  flags: { readonly json?: true },
  run: (deps: SyncDeps) => Promise<BatchSummary | undefined>,
): Promise<number | undefined> {
  const { stdout, stderr, signal } = terminal;
  const { config, logger } = settings;
  const done = await withWarehouse(terminal, settings, { locks: true }, async ({ pool, db, ledger }) => {
    const progress = createProgress(stderr);
    try {
      const deps = { config, pool, db, ledger, clock: systemClock, logger, emit: progress.listen };
      const summary = await run(deps);
      if (summary === undefined) return undefined;
      await alertAfterSync(terminal, settings, { db, pool });
      return { summary, views: await lookAtViews(db, { logger, signal }) };
    } finally {
      progress.stop();
    }
  });
  if (done === undefined) return undefined;
  const { summary, views } = done;
  stdout.write(
    flags.json
      ? `${JSON.stringify({ ...summary, views }, null, 2)}\n`
      : `${settings.scrub(summaryLines(summary, views, columnsOf(stdout)).join('\n'))}\n`,
  );
  return summary.exit_code;
}
