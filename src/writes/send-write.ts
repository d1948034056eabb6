// Sends one planned write, once: planned → sending → what became of it. Never sends what may have arrived.
import type { Poster, PostOutcome } from '../api/post.ts';
import type { Config } from '../config/config.ts';
import type { Purpose } from '../core/budget.ts';
import type { Clock } from '../core/clock.ts';
import { WarehouseError } from '../core/errors.ts';
import type { Executor } from '../db/database.ts';
import { createDatabaseRetry } from '../db/retry-on-disconnect.ts';
import type { WriteKind } from './store/write-book.ts';
import { closeKind, settleWrite, startWrite, type WriteOutcome, writeOpensAt } from './store/write-book.ts';
import { withoutAddresses } from './with-writes.ts';

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
export interface PlannedWrite {
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

export type SendResult =
  | { readonly kind: 'settled'; readonly outcome: SentOutcome }
  /** The limit of its kind is used up until then; it is still planned. */
  | { readonly kind: 'wait'; readonly until: Date }
  /** Another process sent it. */
  | { readonly kind: 'gone' };

interface Route {
  readonly route: string;
  readonly stream: string;
}

/** `stream` is the name under which the ledger counts the requests. */
export const writeRoutes: Readonly<Record<WriteKind, Route>> = {
  logs: { route: 'crawl-logs', stream: 'crawl_logs' },
  questions: { route: 'bgpi/observe', stream: 'bgpi_observe' },
  measurement: { route: 'airank/run', stream: 'airank_run' },
};

/** @throws BudgetExhaustedError when no request remains today; the write is still planned */
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
