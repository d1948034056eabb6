// One account in one run: its settings, what is known of it so far, and how it waits for the database.
// The phases, the slices and the rules of a run all take this one value.
import type { ApiClient } from '../../api/client.ts';
import type { AccountConfig } from '../../config/config.ts';
import type { PlanFacts } from '../plan/plan-facts.ts';
import { type AccountHealth, createAccountHealth } from './account-health.ts';
import { AccountState } from './account-state.ts';
import { createOtherRunTeller } from './other-run.ts';
import type { RunDeps, RunOptions } from './sync-options.ts';

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
  outlast<Result>(work: (progress: () => void) => Promise<Result>): Promise<Result>;
  /** Tells of the run of another process that has a slice of this one. */
  tellOtherRun(): Promise<void>;
}

export function openAccountRun(input: AccountRunInput): AccountRun {
  const { account, emit, logger, patience, stop } = input;
  return {
    ...input,
    state: new AccountState(account.name, emit, logger),
    health: createAccountHealth(account.name, account.baseUrl, account.keyFrom),
    outlast: (work) => patience.outlast(work, stop),
    tellOtherRun: createOtherRunTeller(input),
  };
}
