// The state of one account's run so far, and the part of it that slices read.

import type { ApiClient } from '../../api/client.ts';
import type { AccountConfig, Config } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import { AirankError, type FatalError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import type { Executor } from '../../db/database.ts';
import type { PlannedSlice, Scope } from '../../store/slices/slices.ts';
import { type PlannedWalk, scopeKey } from '../plan/plan.ts';
import { type AccountHealth, createAccountHealth } from './error-policy.ts';
import type { RunEnds, RunQuestion, SliceEnd, SliceOutcome, SyncListener } from './sync-options.ts';

/** If this many streams have the same error, it is not about one slice. */
const faultyStreamsThatEnd = 3;

export interface SliceRun {
  readonly runId: number;
  readonly question: RunQuestion;
  readonly ends: RunEnds;
  readonly values: Pick<Config, 'questions' | 'publicIds'>;
  readonly db: Executor;
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly state: AccountState;
}

export interface Warning {
  readonly stream: string;
  readonly clientId: string;
  /** Names and numbers only; quotes no data. */
  readonly message: string;
  readonly detail: string | undefined;
}

interface UnconfirmedSlice {
  readonly slice: PlannedSlice;
  readonly walk: PlannedWalk;
  readonly unconfirmed: string;
}

/** Lives as long as the run: a walk that goes on after the database was away finds here what it did before. */
export class AccountState {
  readonly emit: SyncListener;
  readonly health: AccountHealth;
  /** Slices that this run has claimed, or has seen claimed by another run. */
  readonly begun = new Set<number>();
  readonly warnings: Warning[] = [];
  clientIds: ReadonlySet<string> = new Set();
  /** Clients that the list of this run date lacks but that have not ended. */
  absentClients: ReadonlySet<string> = new Set();
  /** Time of the last look for another process that holds a slice of this run; shared by all slices that wait. */
  lookedForOtherMs = Number.NEGATIVE_INFINITY;
  /** The reason why the whole account ended early; undefined if it did not. */
  ended: string | undefined;
  endedStatus: number | undefined;
  budgetEnded = false;
  deferredUntil: Date | undefined;
  readonly #outcomes = new Map<string, SliceOutcome>();
  readonly #faultyStreams = new Map<string, Set<string>>();
  #unconfirmed: UnconfirmedSlice[] = [];
  readonly #account: string;
  readonly #logger: Logger;

  constructor({ name, baseUrl, keyFrom }: AccountConfig, emit: SyncListener, logger: Logger) {
    this.#account = name;
    this.emit = emit;
    this.#logger = logger;
    this.health = createAccountHealth(name, baseUrl, keyFrom);
  }

  get outcomes(): readonly SliceOutcome[] {
    return [...this.#outcomes.values()];
  }

  hasEnded(scope: Pick<Scope, 'stream' | 'clientId'>): boolean {
    return this.#outcomes.has(scopeKey(scope));
  }

  end({ message: reason, place, cause }: FatalError): void {
    if (this.ended !== undefined) return;
    this.ended = reason;
    this.endedStatus = place.status ?? (cause instanceof AirankError ? cause.place.status : undefined);
    this.#logger.warn({ event: 'account.ended', reason });
    this.emit({ kind: 'account_ended', account: this.#account, reason });
  }

  /** Notes that a request was refused for the day. */
  defer(until: Date): void {
    if (this.budgetEnded) return;
    this.budgetEnded = true;
    this.wait(until);
  }

  /** Makes slices wait for the next day, even if requests of today remain. */
  wait(until: Date): void {
    if (this.deferredUntil !== undefined) return;
    this.deferredUntil = until;
    this.#logger.warn({ event: 'budget.ended', until });
    this.emit({ kind: 'budget_ended', account: this.#account, until });
  }

  /**
   * Reports something that people should know although nothing failed.
   * @param detail text quoted from the data, which `message` never holds
   */
  warning({ stream, clientId }: Scope, message: string, detail?: string): void {
    this.#logger.warn({ event: 'slice.warning', stream, client_id: clientId, message, detail });
    this.warnings.push({ stream, clientId, message, detail });
  }

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

  /** Hands out the slices to ask for once more, each only once. */
  takeUnconfirmed(): readonly UnconfirmedSlice[] {
    const unconfirmed = this.#unconfirmed;
    this.#unconfirmed = [];
    return unconfirmed;
  }

  /**
   * Reports an error of no known class in one slice, and logs its stack once.
   * @throws the error itself once it came in too many streams to be about one of them
   */
  fault({ stream, clientId }: Scope, pageNo: number, error: unknown): void {
    const name = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const streams = this.#faultyStreams.get(name) ?? new Set<string>();
    if (streams.size === 0)
      this.#logger.error({ event: 'slice.crashed', stream, client_id: clientId, page: pageNo, err: error });
    this.#faultyStreams.set(name, streams.add(stream));
    if (streams.size >= faultyStreamsThatEnd) throw error;
  }

  /** Notes that another run has the slice, because this one lost the connection that showed it alive. */
  takenOver({ stream, clientId }: Scope): void {
    this.#logger.warn({ event: 'slice.taken_over', stream, client_id: clientId });
  }

  /** Notes how a slice ended; its last report counts. */
  report(scope: Scope, end: SliceEnd, more: Partial<SliceOutcome> = {}): void {
    const { stream, account, clientId } = scope;
    const outcome: SliceOutcome = { ...nothing, stream, account, clientId, ...more, end };
    this.#outcomes.set(scopeKey(scope), outcome);
    const { inserted, changed, vanished, error } = outcome;
    const line = { event: 'slice.ended', stream, client_id: clientId, end, inserted, changed, vanished };
    if (end === 'failed') this.#logger.warn({ ...line, error });
    else this.#logger.debug(line);
    this.emit({ kind: 'slice', outcome });
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
