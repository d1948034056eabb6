// One account in one run: its settings, what is known of it so far, and how it waits for the database.
// The phases, the slices and the rules of a run all take this one value.
import type { ApiClient } from '../../api/client.ts';
import type { AccountConfig, Config } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { RunDate } from '../../core/run-date.ts';
import type { Executor } from '../../warehouse/connection/database.ts';
import type { WalkMode } from '../plan/plan.ts';
import type { PlanFacts, PlanQuestion } from '../plan/plan-facts.ts';
import type { Selected } from '../plan/selected-scopes.ts';
import { type AccountHealth, createAccountHealth } from './account-health.ts';
import { AccountState } from './account-state.ts';
import type { SyncListener } from './events.ts';
import { createOtherRunTeller } from './other-run.ts';
import type { Patience } from './patience.ts';

export interface AccountRunInput {
  readonly account: AccountConfig;
  readonly config: Config;
  readonly db: Executor;
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly runId: number;
  readonly runDate: RunDate;
  /** Named clients leave out the account itself. */
  readonly selected: Selected;
  readonly walk: WalkMode;
  /** Walk also what is complete. */
  readonly again: boolean;
  /** Slices walked since then are not walked again. */
  readonly againSince: Date | undefined;
  /** What was known when the run was planned. */
  readonly facts: PlanFacts;
  /** Streams whose vanished records are gone, as somebody said. */
  readonly acceptVanished: ReadonlySet<string>;
  readonly patience: Patience;
  /** What jobs may still spend today, as of the last grant; undefined before the first. */
  readonly remainingToday: () => number | undefined;
  readonly signal: AbortSignal;
  /** No slice is begun any more, and no page is asked for. */
  readonly stop: AbortSignal;
  readonly emit: SyncListener;
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

/** What a plan of this run is asked for. */
export function questionOf({ selected, runDate, again, againSince, walk }: AccountRun): PlanQuestion {
  return { ...selected, runDate, again, againSince, walk };
}
