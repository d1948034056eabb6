// Tells of the run of another process that this one waits for: which, since when, and how far it is.
import type { AccountConfig } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import type { Executor } from '../../db/database.ts';
import { readOpenRuns } from '../../status/open-runs.ts';
import type { SyncListener } from './events.ts';

interface OtherRunInput {
  readonly account: AccountConfig;
  readonly db: Executor;
  readonly clock: Clock;
  readonly runId: number;
  readonly emit: SyncListener;
}

/** All slices that wait ask, and one of them is enough. */
const atMostEveryMs = 2_000;

export function createOtherRunTeller({
  account,
  db,
  clock,
  runId,
  emit,
}: OtherRunInput): () => Promise<void> {
  let toldMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.now() - toldMs < atMostEveryMs) return;
    toldMs = clock.now();
    const open = await readOpenRuns(db, account.name);
    const other = open.find((run) => run.is_alive && run.run_id !== runId);
    if (other !== undefined) emit({ kind: 'waiting', account: account.name, run: other });
  };
}
