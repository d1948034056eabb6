// Takes one planned write as far as it comes: sent, refused, unknown, or still planned because a limit is used up. Waits
// where waiting helps, and sends again only what has certainly not been taken.
import { keyOrAddressFix } from '../api/classify.ts';
import { isRefusedForContent, type Poster, type PostOutcome, rightStatuses } from '../api/post.ts';
import { backOffMs } from '../api/retry.ts';
import type { Config } from '../config/config.ts';
import type { Purpose } from '../core/budget.ts';
import type { Clock } from '../core/clock.ts';
import { BudgetExhaustedError, FatalError, RetryableError, WarehouseError } from '../core/errors.ts';
import { plural } from '../core/text.ts';
import type { Executor } from '../db/database.ts';
import { createDatabaseRetry } from '../db/retry-on-disconnect.ts';
import { withoutAddresses } from './hold-writes.ts';
import type { OpenRange } from './store/log-writes.ts';
import {
  closeKind,
  settleWrite,
  startWrite,
  type WriteKind,
  type WriteOutcome,
  writeOpensAt,
} from './store/write-states.ts';

export interface SendDeps {
  readonly db: Executor;
  readonly config: Config;
  readonly poster: Poster;
  readonly clock: Clock;
  /** Jobs leave the day's reserve to people. */
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
}

/** A row of sync.write, with the body that belongs to it. */
interface PlannedWrite {
  readonly account: string;
  readonly id: number;
  readonly kind: WriteKind;
  /** Places in the limit of its kind. */
  readonly takes: number;
  /** Content-Type of the body. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

type SentOutcome = Exclude<PostOutcome, { kind: 'held' }>;

type SendResult =
  | { readonly kind: 'settled'; readonly outcome: SentOutcome }
  /** The limit of its kind is used up until then; it is still planned. */
  | { readonly kind: 'wait'; readonly until: Date }
  /** Another process sent it. */
  | { readonly kind: 'gone' };

/** `stream` is the name under which the ledger counts the requests. */
const writeRoutes: Readonly<Record<WriteKind, { route: string; stream: string }>> = {
  logs: { route: 'crawl-logs', stream: 'crawl_logs' },
  questions: { route: 'bgpi/observe', stream: 'bgpi_observe' },
  measurement: { route: 'airank/run', stream: 'airank_run' },
};

/**
 * Once: planned → sending → what became of it. Never sends what may have arrived.
 * @throws BudgetExhaustedError when no request remains today; the write is still planned
 */
export async function sendWrite(deps: SendDeps, write: PlannedWrite): Promise<SendResult> {
  const { db, config, poster, clock, signal } = deps;
  // Asked first, so that a wait of an hour takes no request's place.
  const until = await writeOpensAt(db, config, write);
  if (until !== undefined) return { kind: 'wait', until };
  let attempt = 0;
  let held: SendResult = { kind: 'gone' };
  const posted = await poster.post(
    { ...writeRoutes[write.kind], type: write.type, bytes: write.bytes, purpose: deps.purpose },
    {
      before: async () => {
        signal.throwIfAborted();
        const started = await startWrite(db, config, write);
        if (started.kind === 'started') attempt = started.attempt;
        else held = started;
        return started.kind === 'started';
      },
      signal,
    },
  );
  if (posted.kind === 'held') return held;
  const outcome = write.kind === 'logs' ? anonymous(posted) : posted;
  await untilNoted(() => settleWrite(db, { ...write, attempt }, outcomeOf(outcome)), clock);
  if (outcome.kind === 'refused' && outcome.cause === 'kind_limit') {
    const reason = `answered ${outcome.status}: ${outcome.answer.slice(0, 200)}`;
    await untilNoted(() => closeKind(db, { ...write, forMs: outcome.closedForMs ?? 0, reason }), clock);
  }
  return { kind: 'settled', outcome };
}

/** A restart of the database takes some seconds; then a stop or an outage must not be held up. */
const longestNotingMs = 30_000;

/** Notes what became of a write also when the database is away for a moment: nobody else can know it. A stop does not end it. */
export async function untilNoted(note: () => Promise<unknown>, clock: Clock): Promise<void> {
  const retry = createDatabaseRetry({ clock, waitMs: longestNotingMs });
  await retry.run(note, new AbortController().signal).catch((error: unknown) => {
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

/** What to do with a write that may have arrived, as no answer came. */
export type UnknownPolicy = 'report' | 'resend' | 'skip';

type OpenWrite = Pick<OpenRange, 'status' | 'httpStatus'>;

/** Whether somebody has to say what becomes of it: it may have arrived, or the service refused what is in it. */
export function needsDecision({ status, httpStatus }: OpenWrite): boolean {
  return status === 'unknown' || (status === 'refused' && isRefusedForContent(httpStatus));
}

/** What certainly never arrived is sent again without asking. */
export function choiceFor<Refused extends string>(
  write: OpenWrite,
  policies: { readonly unknown: UnknownPolicy; readonly refused: Refused },
): UnknownPolicy | Refused {
  if (write.status === 'unknown') return policies.unknown;
  return needsDecision(write) ? policies.refused : 'resend';
}

export interface DeliverDeps extends SendDeps {
  readonly unknown: UnknownPolicy;
  /** Called before a wait for a limit that is used up; undefined: nothing waits, the write is left for later. */
  readonly onWait?: ((until: Date) => void) | undefined;
}

export type Delivered =
  | { readonly kind: 'accepted'; readonly status: number; readonly answer: string; readonly json: unknown }
  /** Because of its content: it would be refused again. */
  | { readonly kind: 'refused'; readonly status: number; readonly answer: string }
  /** 413: a smaller one may be taken. */
  | { readonly kind: 'too_large'; readonly status: number; readonly answer: string }
  | { readonly kind: 'unknown'; readonly problem: string }
  /** It waits: the limit of its kind, or the day, opens then. */
  | { readonly kind: 'deferred'; readonly until: Date; readonly why: string }
  | { readonly kind: 'gone' };

/** Of a minute's limit, of connections that fail, and of unknown ones that are sent again. */
const mostTries = 6;

/**
 * @throws FatalError when nothing of this kind can succeed: a refused key, a missing right, another address
 * @throws RetryableError when the service cannot be reached
 */
export async function deliver(deps: DeliverDeps, write: PlannedWrite): Promise<Delivered> {
  const { route } = writeRoutes[write.kind];
  for (let tries = 1; ; tries += 1) {
    const result = await send(deps, write);
    if (result.kind === 'deferred' || result.kind === 'gone') return result;
    if (result.kind === 'wait') {
      if (deps.onWait === undefined)
        return { kind: 'deferred', until: result.until, why: 'the limit is used up' };
      deps.onWait(result.until);
      await deps.clock.sleep(result.until.getTime() - deps.clock.now(), deps.signal);
      // Not a try: nothing was sent.
      tries -= 1;
      continue;
    }
    const { outcome } = result;
    const place = { account: write.account, route, method: 'POST', attempt: tries };
    switch (outcome.kind) {
      case 'accepted':
        return outcome;
      case 'unknown':
        if (deps.unknown !== 'resend' || tries >= mostTries) return outcome;
        await pause(deps, tries);
        break;
      case 'unsent':
        if (tries >= mostTries) {
          const message = `POST ${route} ${outcome.problem}, after ${plural(tries, 'try', 'tries')}. ${outcome.fix}`;
          throw new RetryableError(message, place);
        }
        await pause(deps, tries);
        break;
      case 'refused':
        if (outcome.cause === 'content') return { ...outcome, kind: 'refused' };
        if (outcome.cause === 'size') return { ...outcome, kind: 'too_large' };
        if (outcome.cause === 'access') {
          const message = `POST ${route} answered ${outcome.status}. ${accessFix(outcome.status)}`;
          throw new FatalError(message, { ...place, status: outcome.status });
        }
        // The ledger holds the next try back for as long as the service said.
        if (tries >= mostTries) {
          const message = `POST ${route} was refused ${plural(tries, 'time')} (429) in spite of waiting. Run again later.`;
          throw new RetryableError(message, { ...place, status: outcome.status });
        }
    }
  }
}

async function send(deps: DeliverDeps, write: PlannedWrite) {
  try {
    return await sendWrite(deps, write);
  } catch (error) {
    if (!(error instanceof BudgetExhaustedError)) throw error;
    // A day is never slept through.
    return { kind: 'deferred', until: error.until, why: 'no requests of the day remain' } as const;
  }
}

function pause({ clock, signal }: DeliverDeps, failures: number): Promise<void> {
  return clock.sleep(backOffMs(failures), signal);
}

function accessFix(status: number): string {
  if (rightStatuses.includes(status)) return 'The key has no right to write there: ask the service.';
  if (status === 407) return 'Something between this machine and AIRANK_BASE_URL asks for a login.';
  if (status === 408 || status === 425) return 'The service did not take it in time: run again.';
  if (status < 400)
    return 'It redirects, which is not followed so that the key goes nowhere else: check AIRANK_BASE_URL.';
  return keyOrAddressFix(status);
}

/** Writes in a row whose outcome is unknown. */
const mostUnknownInARow = 2;

export interface OutageBrake {
  /** Nothing more is to be sent. */
  readonly isOn: boolean;
  /** What became of a write that was sent. */
  saw(kind: Delivered['kind']): void;
}

/** `endedUnknown`: the newest write of before did, so that in an outage each push sends one, and not two. */
export function createOutageBrake(endedUnknown: boolean): OutageBrake {
  let unknownInARow = endedUnknown ? mostUnknownInARow - 1 : 0;
  return {
    get isOn() {
      return unknownInARow >= mostUnknownInARow;
    },
    saw(kind) {
      if (kind === 'unknown') unknownInARow += 1;
      else if (isAnswered(kind)) unknownInARow = 0;
    },
  };
}

function isAnswered(kind: Delivered['kind']): boolean {
  return kind === 'accepted' || kind === 'refused' || kind === 'too_large';
}
