// The only way to the server: paces one account's requests so that none is refused and none is wasted. Bottleneck
// orders them, the ledger grants them, within the rate headers it is given, and p-queue holds those in flight. Uses
// neither reservoir nor chaining, as in Bottleneck 2.19.5 updateSettings() ends a refresh for good, parked jobs of a
// chained limiter hold their slots, and stop() then never resolves.

import Bottleneck from 'bottleneck';
import PQueue from 'p-queue';
import type { AccountConfig, Config } from '../../config/config.ts';
import type { ClosedScope, Grant, Ledger, Purpose } from '../../core/budget.ts';
import { type Clock, createWakeUp, linkSignals } from '../../core/clock.ts';
import { BudgetExhaustedError, messageOf } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { moment } from '../../core/text.ts';
import { type RateHeaders, RateReader } from './rate-headers.ts';

interface GateDeps {
  readonly config: Pick<Config, 'http'>;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onFull?: GateOptions['onFull'];
}

export function createAccountGate(deps: GateDeps, account: AccountConfig): Gate {
  return createGate({
    account: account.name,
    ledger: deps.ledger,
    clock: deps.clock,
    perMinute: account.perMinute,
    concurrency: deps.config.http.concurrency,
    logger: deps.logger,
    onFull: deps.onFull,
  });
}

export interface GateRequest {
  readonly stream: string;
  readonly purpose: Purpose;
  readonly priority: number;
  readonly signal: AbortSignal;
}

/**
 * One request. Calls `seen` as soon as the headers are in.
 * `unsent`: it never reached the server, so its token goes back to the ledger.
 */
export type Attempt<T> = (
  seen: (headers: RateHeaders) => void,
) => Promise<{ readonly result: T; readonly unsent?: true }>;

export interface Refusal {
  readonly kind: ClosedScope;
  readonly waitMs: number;
}

export interface Gate {
  /** Runs one attempt in its turn. Throws BudgetExhaustedError when the day is used up. */
  run<T>(request: GateRequest, attempt: Attempt<T>): Promise<T>;
  /** Reports a 429: no request of this account is sent before `waitMs` from now. */
  refused(refusal: Refusal): Promise<void>;
  /** Requests left today, as of the last grant; undefined before the first. */
  remainingToday(): number | undefined;
  /** Refuses what still waits and resolves when every started attempt has ended. */
  close(): Promise<void>;
}

export interface GateOptions {
  readonly account: string;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly perMinute: number;
  readonly concurrency: number;
  readonly logger?: Logger;
  /**
   * Called when the minute is full or the server asked to wait. Nothing is sent before `until`, unless an answer
   * shortens the wait.
   */
  readonly onFull?: ((until: Date, isAsked: boolean) => void) | undefined;
}

type Granted = Extract<Grant, { granted: true }>;

/** A longer sleep would not notice that the clock was set. */
const longestSleepMs = 5_000;
const shortestSleepMs = 5;
const minuteMs = 60_000;
const soonMs = 100;

export function createGate(options: GateOptions): Gate {
  const { account, ledger, clock, logger } = options;
  // A job for each request, which ends at its grant: one asks the ledger at a time, the most urgent first.
  // Bottleneck (2.19.5) spaces jobs by Date.now(): without this minTime a clock that is set back by an hour
  // holds the next job for an hour.
  const limiter = new Bottleneck({ maxConcurrent: 1, minTime: Number.NEGATIVE_INFINITY });
  const exchanges = new PQueue({ concurrency: options.concurrency });
  const rates = new RateReader();
  const closing = new AbortController();
  const changed = createWakeUp(clock);
  let ignoredHeaders = false;
  let last: Granted | undefined;
  let askedUntilMs = 0;

  const tellFull = (waitMs: number) =>
    options.onFull?.(new Date(clock.now() + waitMs), clock.now() < askedUntilMs);

  const perMinute = () => Math.min(options.perMinute, rates.limit ?? Number.POSITIVE_INFINITY);

  const admit = async ({ stream, purpose }: GateRequest, signal: AbortSignal): Promise<Granted> => {
    for (;;) {
      signal.throwIfAborted();
      const grant = await ledger.take({ account, stream, purpose, perMinute: perMinute() });
      if (grant.granted) return grant;
      if (grant.reason === 'day') throw exhausted(account, stream, clock.now() + grant.retryInMs);
      tellFull(grant.retryInMs);
      const retryInMs = Math.max(shortestSleepMs, Math.min(grant.retryInMs, longestSleepMs));
      // Places of requests in flight count for longer than a minute. When somebody else uses the key, requests go one
      // after the other. In both cases an answer shortens the wait.
      if (grant.retryInMs > minuteMs || grant.retryInMs <= soonMs) await changed.wait(retryInMs, signal);
      else await clock.sleep(retryInMs, signal);
    }
  };

  const settle = async (end: Promise<void>): Promise<void> => {
    try {
      await end;
    } catch (error) {
      // The answer is still good; an unsettled ticket expires by itself.
      logger?.warn({ event: 'gate.settle_failed', account, error: messageOf(error) });
    }
  };

  const noteIgnored = (): void => {
    const ignoresHeaders = rates.ignoresHeaders(clock.now());
    if (ignoresHeaders && !ignoredHeaders) {
      logger?.warn({
        event: 'gate.headers_ignored',
        account,
        error:
          'Expected X-RateLimit-Remaining to rise when the minute renews, got 0 in every answer of the last minutes although none was refused. The header is ignored; AIRANK_PER_MINUTE still holds',
      });
    }
    ignoredHeaders = ignoresHeaders;
  };

  const exchange = async <T>(request: GateRequest, grant: Granted, attempt: Attempt<T>): Promise<T> => {
    const startedMs = clock.now();
    last = grant;
    let settled: Promise<void> | undefined;
    // The server has counted the request before it answers, so its minute runs from the head of the answer.
    const end = (headers?: RateHeaders, unsent?: true) => {
      if (settled !== undefined) return;
      const reading = headers === undefined ? undefined : rates.read(headers, startedMs, clock.now());
      noteIgnored();
      changed.wake();
      const { ticket } = grant;
      settled = settle(unsent ? ledger.giveBack(ticket, request) : ledger.settle(ticket, reading)).then(
        changed.wake,
      );
    };
    try {
      const { result, unsent } = await attempt((seen) => end(seen));
      end(undefined, unsent);
      return result;
    } finally {
      end();
      await settled;
    }
  };

  const run = async <T>(request: GateRequest, attempt: Attempt<T>): Promise<T> => {
    const linked = linkSignals(request.signal, closing.signal);
    try {
      return await new Promise<T>((resolve, reject) => {
        const turn = async () => {
          const grant = await admit(request, linked.signal);
          exchanges.add(() => exchange(request, grant, attempt)).then(resolve, reject);
          // The next request is chosen, and granted, when there is room for its exchange.
          await exchanges.add(() => undefined);
        };
        limiter.schedule({ priority: request.priority }, turn).catch(reject);
      });
    } finally {
      linked.release();
    }
  };

  return {
    run,
    refused: async ({ kind, waitMs }) => {
      rates.refused();
      askedUntilMs = clock.now() + waitMs;
      logger?.warn({ event: 'gate.refused', account, kind, wait_ms: waitMs });
      await ledger.block(account, kind, waitMs);
    },
    remainingToday: () => last?.remainingToday,
    close: async () => {
      const message = `The gate of account ${account} is closed`;
      closing.abort(new Error(message));
      // Refused, not dropped: each waiting job sees that the gate closes, and ends.
      await limiter.stop({ dropWaitingJobs: false, enqueueErrorMessage: message });
      await exchanges.onIdle();
    },
  };
}

function exhausted(account: string, stream: string, untilMs: number): BudgetExhaustedError {
  const until = new Date(untilMs);
  return new BudgetExhaustedError(
    `Account ${account} has no requests left until ${moment(until)}: those of the day are used up, or the server has closed the key (airank budget shows which). Run again then, or raise AIRANK_PER_DAY if the key allows more.`,
    until,
    { account, stream },
  );
}
