// The state of one account's run so far, and what its slices take from the run.

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

/** Streams with the same error from which on it is not about one slice. */
const faultyStreamsThatEnd = 3;

/** Part of an account's run that its slices read. */
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
  /** Text of names and numbers, which quotes no data. */
  readonly message: string;
  readonly detail: string | undefined;
}

interface UnconfirmedSlice {
  readonly slice: PlannedSlice;
  readonly walk: PlannedWalk;
  readonly unconfirmed: string;
}

/** Lasts as long as the run: a walk that goes on after the database was away finds here what it did before. */
export class AccountState {
  readonly emit: SyncListener;
  readonly health: AccountHealth;
  /** Slices that this run has claimed, or seen claimed by another one. */
  readonly begun = new Set<number>();
  readonly warnings: Warning[] = [];
  clientIds: ReadonlySet<string> = new Set();
  /** Clients that the list of this run date lacks, and that have not ended yet. */
  absentClients: ReadonlySet<string> = new Set();
  /** When another process was last looked for that has a slice of this run: all slices that wait ask. */
  lookedForOtherMs = Number.NEGATIVE_INFINITY;
  /** Why the whole account ended early; undefined: it did not. */
  ended: string | undefined;
  /** The status of the answer that ended it, if one did. */
  endedStatus: number | undefined;
  /** True once no request is granted any more today. */
  budgetEnded = false;
  /** When the budget renews, if slices wait for that. */
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

  /** The last end of each slice. */
  get outcomes(): readonly SliceOutcome[] {
    return [...this.#outcomes.values()];
  }

  hasEnded(scope: Pick<Scope, 'stream' | 'clientId'>): boolean {
    return this.#outcomes.has(scopeKey(scope));
  }

  /** Ends the account. The first reason counts. */
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

  /** Lets slices wait for the next day, even if requests of this day remain. */
  wait(until: Date): void {
    if (this.deferredUntil !== undefined) return;
    this.deferredUntil = until;
    this.#logger.warn({ event: 'budget.ended', until });
    this.emit({ kind: 'budget_ended', account: this.#account, until });
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

  /** The last report of a slice counts. */
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
