// One account in one run: its settings, what is known of it so far, and how it waits for the database.
// The phases, the slices and the rules of a run all take this one value.

import type { ApiClient } from '../../api/client.ts';
import type { AccountConfig } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import { AirankError, type FatalError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import type { Executor } from '../../db/database.ts';
import { readOpenRuns } from '../../status/open-runs.ts';
import type { PlannedSlice, Scope } from '../../store/slices/slices.ts';
import type { PlannedWalk } from '../plan/plan.ts';
import type { PlanFacts } from '../plan/plan-facts.ts';
import { type AccountHealth, createAccountHealth } from './error-policy.ts';
import type { RunDeps, RunOptions, SliceEnd, SliceOutcome, SyncListener } from './sync-options.ts';

/** Streams with the same error from which on it is not about one slice. */
const faultyStreamsThatEnd = 3;

export interface Warning {
  readonly stream: string;
  readonly clientId: string;
  /** Text of names and numbers, which quotes no data. */
  readonly message: string;
  readonly detail: string | undefined;
}

interface UnconfirmedSlice {
  readonly slice: PlannedSlice;
  readonly walk: PlannedWalk;
  readonly unconfirmed: string;
}

export class AccountState {
  readonly outcomes: SliceOutcome[] = [];
  /** Slices that this run has claimed, or seen claimed by another one. */
  readonly begun = new Set<number>();
  clientIds: ReadonlySet<string> = new Set();
  /** Clients that the list of this run date lacks, and that have not ended yet. */
  absentClients: ReadonlySet<string> = new Set();
  readonly warnings: Warning[] = [];
  readonly #faultyStreams = new Map<string, Set<string>>();
  #unconfirmed: UnconfirmedSlice[] = [];
  readonly #account: string;
  readonly #emit: SyncListener;
  readonly #logger: Logger;
  #ended: string | undefined;
  #budgetEnded = false;
  #endedStatus: number | undefined;
  #deferredUntil: Date | undefined;

  constructor(account: string, emit: SyncListener, logger: Logger) {
    this.#account = account;
    this.#emit = emit;
    this.#logger = logger;
  }

  /** Why the whole account ended early; undefined: it did not. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** The status of the answer that ended it, if one did. */
  get endedStatus(): number | undefined {
    return this.#endedStatus;
  }

  /** True once no request is granted any more today. */
  get budgetEnded(): boolean {
    return this.#budgetEnded;
  }

  /** When the budget renews, if slices wait for that. */
  get deferredUntil(): Date | undefined {
    return this.#deferredUntil;
  }

  /** Ends the account. The first reason counts. */
  end({ message: reason, place, cause }: FatalError): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#endedStatus = place.status ?? (cause instanceof AirankError ? cause.place.status : undefined);
    this.#logger.warn({ event: 'account.ended', reason });
    this.#emit({ kind: 'account_ended', account: this.#account, reason });
  }

  /** Notes that a request was refused for the day. */
  defer(until: Date): void {
    if (this.#budgetEnded) return;
    this.#budgetEnded = true;
    this.wait(until);
  }

  /** Lets slices wait for the next day, even if requests of this day remain. */
  wait(until: Date): void {
    if (this.#deferredUntil !== undefined) return;
    this.#deferredUntil = until;
    this.#logger.warn({ event: 'budget.ended', until });
    this.#emit({ kind: 'budget_ended', account: this.#account, until });
  }

  /**
   * Reports what people should know although nothing failed.
   * @param detail text quoted from the data, which `message` never holds
   */
  warning({ stream, clientId }: Scope, message: string, detail?: string): void {
    this.#logger.warn({ event: 'slice.warning', stream, client_id: clientId, message, detail });
    this.warnings.push({ stream, clientId, message, detail });
  }

  /** Notes an answer that is not confirmed: the phase asks for it once more at its end. */
  lookAgain(one: UnconfirmedSlice): void {
    const { stream, clientId } = one.slice;
    this.#logger.info({
      event: 'slice.validation_failed',
      stream,
      client_id: clientId,
      error: one.unconfirmed,
    });
    this.#unconfirmed.push(one);
  }

  /** The slices that are to be asked for once more; each is given out once. */
  takeUnconfirmed(): readonly UnconfirmedSlice[] {
    const unconfirmed = this.#unconfirmed;
    this.#unconfirmed = [];
    return unconfirmed;
  }

  /**
   * Reports an error that no class describes, in one slice. Its stack is logged once.
   * @throws the error itself when it came in too many streams to be about one of them
   */
  fault({ stream, clientId }: Scope, pageNo: number, error: unknown): void {
    const name = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const streams = this.#faultyStreams.get(name) ?? new Set<string>();
    if (streams.size === 0)
      this.#logger.error({ event: 'slice.crashed', stream, client_id: clientId, page: pageNo, err: error });
    this.#faultyStreams.set(name, streams.add(stream));
    if (streams.size >= faultyStreamsThatEnd) throw error;
  }

  /** Notes that another run has the slice, because the connection that showed this one alive was lost. */
  takenOver({ stream, clientId }: Scope): void {
    this.#logger.warn({ event: 'slice.taken_over', stream, client_id: clientId });
  }

  /** Fails a slice that was reported otherwise. */
  takeBack(scope: Scope, error: string): void {
    const { stream, clientId } = scope;
    this.outcomes.splice(
      this.outcomes.findIndex((one) => one.stream === stream && one.clientId === clientId),
      1,
    );
    this.report(scope, 'failed', { error });
  }

  report(scope: Scope, end: SliceEnd, more: Partial<SliceOutcome> = {}): void {
    const { stream, account, clientId } = scope;
    const outcome: SliceOutcome = { ...nothing, stream, account, clientId, ...more, end };
    this.outcomes.push(outcome);
    const { inserted, changed, vanished, error } = outcome;
    const line = { event: 'slice.ended', stream, client_id: clientId, end, inserted, changed, vanished };
    if (end === 'failed') this.#logger.warn({ ...line, error });
    else this.#logger.debug(line);
    this.#emit({ kind: 'slice', outcome });
  }
}

const nothing = {
  already: false,
  error: undefined,
  records: 0,
  inserted: 0,
  changed: 0,
  vanished: 0,
  unchanged: 0,
  keyConflicts: 0,
  pagesSaved: 0,
  late: 0,
  tooLarge: false,
} as const;

// Tells of the run of another process that this one waits for: which, since when, and how far it is.
interface OtherRunInput {
  readonly account: AccountConfig;
  readonly db: Executor;
  readonly clock: Clock;
  readonly runId: number;
  readonly emit: SyncListener;
}

/** Shortest time between two reports: all slices that wait ask, and one answer is enough. */
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
  readonly facts: PlanFacts;
  /** Requests that jobs may still spend today, as of the last grant; undefined before the first. */
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
