// Sends planned writes, each once, by one process at a time per account and kind. Waits where that helps, and sends
// again only what was certainly not taken.
import { isIP } from 'node:net';
import type pg from 'pg';
import { keyOrAddressFix } from '../api/classify.ts';
import { createAccountGate } from '../api/gate/gate.ts';
import {
  createPoster,
  isRefusedForContent,
  type Poster,
  type PostOutcome,
  rightStatuses,
} from '../api/post.ts';
import { backOffMs } from '../api/retry.ts';
import type { AccountConfig, Config } from '../config/config.ts';
import type { Ledger, Purpose } from '../core/budget.ts';
import { type Clock, linkSignals, systemClock } from '../core/clock.ts';
import { BudgetExhaustedError, FatalError, RetryableError, WarehouseError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { plural } from '../core/text.ts';
import { createDatabase, type Executor } from '../db/database.ts';
import { createDatabaseRetry } from '../db/retry-on-disconnect.ts';
import type { SessionLock } from '../db/session-lock.ts';
import {
  closeKind,
  giveUpSending,
  holdWrites,
  type OpenStatus,
  settleWrite,
  startWrite,
  type WriteKind,
  type WriteOutcome,
  type WritesHolder,
  writeOpensAt,
  writesHolder,
} from './store/write-states.ts';

/** Runs `work` with a sender under the account's share of the ledger, and closes it in any case. */
export async function withPoster<Result>(
  { config, logger }: { readonly config: Config; readonly logger: Logger },
  account: AccountConfig,
  ledger: Ledger,
  work: (poster: Poster) => Promise<Result>,
): Promise<Result> {
  const gate = createAccountGate({ config, ledger, clock: systemClock, logger }, account);
  const poster = createPoster(account, config.http, gate);
  try {
    return await work(poster);
  } finally {
    await poster.close();
    await gate.close();
  }
}

export interface HoldingWritesInput {
  readonly pool: pg.Pool;
  readonly account: string;
  readonly kind: WriteKind;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onBusy: (holder: WritesHolder | undefined) => void;
  readonly longestWaitMs?: number | undefined;
}

/**
 * Runs `work` under the lock, with a signal that also ends when the lock is lost. Writes that an earlier process left
 * in `sending` become unknown.
 * @throws WarehouseError when another process still sends after the longest wait
 */
export async function holdingWrites<Result>(
  input: HoldingWritesInput,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const lock = await waitForWrites(input);
  const linked = linkSignals(input.signal, lock.lost);
  try {
    await giveUpSending(createDatabase(input.pool), input.account, input.kind);
    return await work(linked.signal);
  } finally {
    linked.release();
    await lock.release();
  }
}

async function waitForWrites(input: HoldingWritesInput): Promise<SessionLock> {
  const { pool, account, kind, clock, signal, longestWaitMs = 600_000 } = input;
  const endsAt = clock.now() + longestWaitMs;
  for (let tries = 1; ; tries += 1) {
    const lock = await holdWrites(pool, account, kind);
    if (lock !== undefined) return lock;
    if (tries === 1) input.onBusy(await writesHolder(createDatabase(pool), account, kind));
    if (clock.now() >= endsAt) {
      throw new WarehouseError(
        `Another process is still sending ${kind} of account ${account}. Run this again when it has ended`,
        { account },
      );
    }
    await clock.sleep(500, signal);
  }
}

/** Also matches an address with a port or a mask after it. */
const looksLikeAddress =
  /(?<![\w.])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:\d*\.\d+\.\d+\.\d+)?)/gi;

export function withoutAddresses(text: string): string {
  return text.replaceAll(looksLikeAddress, (found) => (isIP(found) === 0 ? found : '[address]'));
}

export interface SendDeps {
  readonly db: Executor;
  readonly config: Config;
  readonly poster: Poster;
  readonly clock: Clock;
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
  /** Called before a wait for a used-up limit; undefined leaves the write for later instead of waiting. */
  readonly onWait?: ((until: Date) => void) | undefined;
}

/** A row of sync.write with its body. */
interface PlannedWrite {
  readonly account: string;
  readonly id: number;
  readonly kind: WriteKind;
  readonly takes: number;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export type Delivered =
  | { readonly kind: 'accepted'; readonly status: number; readonly answer: string; readonly json: unknown }
  /** Refused for its content or size, and would be again. */
  | { readonly kind: 'refused'; readonly status: number; readonly answer: string }
  | { readonly kind: 'unknown'; readonly problem: string }
  /** Waits until the limit of its kind, or the day, renews. */
  | { readonly kind: 'deferred'; readonly until: Date; readonly why: string };

type Deferred = Extract<Delivered, { kind: 'deferred' }>;
type SentOutcome = Exclude<PostOutcome, { kind: 'held' }>;

/** `stream` is the name under which the ledger counts the requests. */
const writeRoutes: Readonly<Record<WriteKind, { route: string; stream: string }>> = {
  logs: { route: 'crawl-logs', stream: 'crawl_logs' },
  questions: { route: 'bgpi/observe', stream: 'bgpi_observe' },
  measurement: { route: 'airank/run', stream: 'airank_run' },
};

/** Maximum number of tries against a minute's limit or failing connections. */
const mostTries = 6;

/**
 * Sends a planned write, and waits and tries again where that helps.
 * @throws FatalError when nothing of this kind can succeed: a refused key, a missing right, another address
 * @throws RetryableError when the service cannot be reached
 */
export async function deliver(deps: SendDeps, write: PlannedWrite): Promise<Delivered> {
  const { route } = writeRoutes[write.kind];
  for (let tries = 1; ; tries += 1) {
    const outcome = await sendWrite(deps, write);
    const place = { account: write.account, route, method: 'POST', attempt: tries };
    switch (outcome.kind) {
      case 'accepted':
      case 'unknown':
        return outcome;
      case 'deferred': {
        const { until } = outcome;
        // Waits for a limit, but never for the next day.
        if (deps.onWait === undefined || !outcome.isLimit) return outcome;
        deps.onWait(until);
        await deps.clock.sleep(until.getTime() - deps.clock.now(), deps.signal);
        // A wait does not count as a try.
        tries -= 1;
        break;
      }
      case 'unsent':
        if (tries >= mostTries) {
          const message = `POST ${route} ${outcome.problem}, after ${plural(tries, 'try', 'tries')}. ${outcome.fix}`;
          throw new RetryableError(message, place);
        }
        await deps.clock.sleep(backOffMs(tries), deps.signal);
        break;
      case 'refused': {
        const { status, answer, cause } = outcome;
        if (cause === 'content' || cause === 'size') return { kind: 'refused', status, answer };
        if (cause === 'access') {
          throw new FatalError(
            `POST ${route} answered ${status}. ${accessFix(status, deps.poster.keyFrom)}`,
            {
              ...place,
              status,
            },
          );
        }
        // The ledger holds back the next try for as long as the service asked.
        if (tries >= mostTries) {
          const message = `POST ${route} was refused ${plural(tries, 'time')} (429) despite waiting. Run this again later.`;
          throw new RetryableError(message, { ...place, status });
        }
      }
    }
  }
}

/** Makes one attempt: planned → sending → outcome. If a limit is used up, the write stays planned. */
export async function sendWrite(
  deps: SendDeps,
  write: PlannedWrite,
): Promise<SentOutcome | (Deferred & { readonly isLimit: boolean })> {
  const { db, config, poster, clock, signal } = deps;
  const used = (until: Date) =>
    ({ kind: 'deferred', until, why: 'the limit is used up', isLimit: true }) as const;
  // Asked first, so that a long wait does not take another request's place.
  const opensAt = await writeOpensAt(db, config, write);
  if (opensAt !== undefined) return used(opensAt);
  let attempt = 0;
  let until: Date | undefined;
  const before = async () => {
    signal.throwIfAborted();
    const started = await startWrite(db, config, write);
    if (started.kind === 'started') attempt = started.attempt;
    if (started.kind === 'wait') until = started.until;
    return started.kind === 'started';
  };
  const request = { ...writeRoutes[write.kind], type: write.type, bytes: write.bytes, purpose: deps.purpose };
  const posted = await poster.post(request, { before, signal }).catch((error: unknown) => {
    if (error instanceof BudgetExhaustedError) return error;
    throw error;
  });
  if (posted instanceof BudgetExhaustedError) {
    return { kind: 'deferred', until: posted.until, why: 'no requests of the day remain', isLimit: false };
  }
  if (posted.kind === 'held') {
    if (until !== undefined) return used(until);
    throw new WarehouseError(
      `Write ${write.id} was sent or skipped by somebody else meanwhile. See airank push writes, then run this again`,
    );
  }
  const outcome = write.kind === 'logs' ? anonymous(posted) : posted;
  await untilNoted(() => settleWrite(db, { ...write, attempt }, outcomeOf(outcome)), clock);
  if (outcome.kind === 'refused' && outcome.cause === 'kind_limit') {
    const reason = `answered ${outcome.status}: ${outcome.answer.slice(0, 200)}`;
    await untilNoted(() => closeKind(db, { ...write, forMs: outcome.closedForMs ?? 0, reason }), clock);
  }
  return outcome;
}

/** A restart of the database takes some seconds; a stop or an outage must not be held up longer. */
const longestNotingMs = 30_000;

/**
 * Notes the outcome of a write, even if the database is away for a moment, as nobody else can know it. A stop does not
 * end it.
 */
export async function untilNoted(note: () => Promise<unknown>, clock: Clock): Promise<void> {
  const retry = createDatabaseRetry({ clock, patienceMs: () => longestNotingMs });
  await retry(note, new AbortController().signal).catch((error: unknown) => {
    throw error instanceof WarehouseError ? error.cause : error;
  });
}

function anonymous(outcome: SentOutcome): SentOutcome {
  if ('answer' in outcome) return { ...outcome, answer: withoutAddresses(outcome.answer) };
  return outcome.kind === 'unknown' ? { ...outcome, problem: withoutAddresses(outcome.problem) } : outcome;
}

function outcomeOf(outcome: SentOutcome): WriteOutcome {
  switch (outcome.kind) {
    case 'accepted':
    case 'refused':
      return { status: outcome.kind, httpStatus: outcome.status, answer: outcome.answer };
    case 'unknown':
      return { status: 'unknown', httpStatus: outcome.status, answer: outcome.problem };
    case 'unsent':
      return { status: 'planned', httpStatus: undefined, answer: undefined };
  }
}

function accessFix(status: number, keyFrom: string | undefined): string {
  if (rightStatuses.includes(status)) return 'The key may not write there: ask the service.';
  if (status === 407) return 'Something between this machine and AIRANK_BASE_URL asks for a login.';
  if (status === 408 || status === 425) return 'The service did not accept it in time: run this again.';
  if (status < 400)
    return 'It redirects, which is not followed, so that the key is sent nowhere else: check AIRANK_BASE_URL.';
  return keyOrAddressFix(status, keyFrom);
}

/** The decision about a write that may have arrived, or was refused for its content. */
export type Policy = 'report' | 'resend' | 'skip';

interface OpenWrite {
  readonly status: OpenStatus;
  readonly httpStatus: number | undefined;
}

/** True if somebody has to decide: it may have arrived, or the service refused its content. */
export function needsDecision({ status, httpStatus }: OpenWrite): boolean {
  return status === 'unknown' || (status === 'refused' && isRefusedForContent(httpStatus));
}

/** Chooses what to do with an open write; one that certainly never arrived is sent again without asking. */
export function choiceFor<Refused extends string>(
  write: OpenWrite,
  policies: { readonly unknown: Policy; readonly refused: Refused },
): Policy | Refused {
  if (write.status === 'unknown') return policies.unknown;
  return needsDecision(write) ? policies.refused : 'resend';
}

/** After this many unknown outcomes in a row nothing more is sent, as it would be unknown too. */
const mostUnknownInARow = 2;

export interface OutageBrake {
  readonly isOn: boolean;
  saw(kind: Delivered['kind']): void;
}

/** @param endedUnknown true if the newest earlier write did: in an outage each push then sends one, not two */
export function createOutageBrake(endedUnknown: boolean): OutageBrake {
  let unknownInARow = endedUnknown ? mostUnknownInARow - 1 : 0;
  return {
    get isOn() {
      return unknownInARow >= mostUnknownInARow;
    },
    saw(kind) {
      if (kind === 'unknown') unknownInARow += 1;
      else if (kind !== 'deferred') unknownInARow = 0;
    },
  };
}
