// One account in one run: its settings, what is known of it so far, and how it waits for the database.
// The phases, the slices and the rules of a run all take this one value.

import type { ApiClient } from '../../api/client.ts';
import type { AccountConfig } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import type { Executor } from '../../db/database.ts';
import { readOpenRuns } from '../../status/open-runs.ts';
import type { PlanFacts } from '../plan/plan-facts.ts';
import { AccountState } from './account-state.ts';
import { type AccountHealth, createAccountHealth } from './error-policy.ts';
import type { SyncListener } from './events.ts';
import type { RunDeps, RunOptions } from './sync-options.ts';

// Tells of the run of another process that this one waits for: which, since when, and how far it is.
interface OtherRunInput {
  readonly account: AccountConfig;
  readonly db: Executor;
  readonly clock: Clock;
  readonly runId: number;
  readonly emit: SyncListener;
}

/** All slices that wait ask, and one of them is enough. */
const atMostEveryMs = 2_000;

function createOtherRunTeller({ account, db, clock, runId, emit }: OtherRunInput): () => Promise<void> {
  let toldMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.now() - toldMs < atMostEveryMs) return;
    toldMs = clock.now();
    const open = await readOpenRuns(db, account.name);
    const other = open.find((run) => run.is_alive && run.run_id !== runId);
    if (other !== undefined) emit({ kind: 'waiting', account: account.name, run: other });
  };
}

export interface AccountRunInput extends RunDeps, RunOptions {
  readonly account: AccountConfig;
  readonly client: ApiClient;
  readonly runId: number;
  /** What was known when the run was planned. */
  readonly facts: PlanFacts;
  /** What jobs may still spend today, as of the last grant; undefined before the first. */
  readonly remainingToday: () => number | undefined;
}

export interface AccountRun extends AccountRunInput {
  readonly state: AccountState;
  readonly health: AccountHealth;
  /** Does work that may be done twice, and does it again after each failure of the database. */
  withRetry<Result>(work: (progress: () => void) => Promise<Result>): Promise<Result>;
  /** Tells of the run of another process that has a slice of this one. */
  tellOtherRun(): Promise<void>;
}

export function openAccountRun(input: AccountRunInput): AccountRun {
  const { account, emit, logger, retry, stop } = input;
  return {
    ...input,
    state: new AccountState(account.name, emit, logger),
    health: createAccountHealth(account.name, account.baseUrl, account.keyFrom),
    withRetry: (work) => retry.run(work, stop),
    tellOtherRun: createOtherRunTeller(input),
  };
}
