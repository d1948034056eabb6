// Turns one page request into its answer, or into an error whose class says what to do about it. The only place that
// retries; every attempt takes its own token from the gate.

import type { AccountConfig, HttpConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import {
  BudgetExhaustedError,
  ConfigError,
  type ErrorPlace,
  RetryableError,
  SkippableError,
  UnavailableError,
} from '../core/errors.ts';
import { createScrubber, type Logger } from '../core/logger.ts';
import { moment, plural } from '../core/text.ts';
import { askOnce } from './ask-once.ts';
import { isUnsent, quote, type Verdict } from './classify.ts';
import { clockAhead, createExchange } from './exchange.ts';
import type { Gate } from './gate/gate.ts';
import { readRateHeaders } from './gate/rate-headers.ts';
import { isLoopback, type PageRequest, requestUrl, toldRoute } from './request.ts';
import { afterRefusal, backOffMs, type RefusalStep, refusalExtraMs } from './retry.ts';

// A refusal that lasts longer than a run waits.
interface LongRefusal {
  readonly kind: Exclude<RefusalStep['kind'], 'minute'>;
  readonly until: Date;
  readonly refusals: number;
}

/** A refused key ends the account's day. Without a key only the slice fails: our key is not affected. */
function refusedForLong(
  request: PageRequest,
  { kind, until, refusals }: LongRefusal,
  place: ErrorPlace,
): BudgetExhaustedError | SkippableError {
  const asked = `GET ${toldRoute(request)}`;
  const told =
    kind === 'day'
      ? `${asked} answered 429 (rate_limited):`
      : `${asked} was refused ${plural(refusals, 'time')} (429, rate_limited) despite waiting:`;
  const then = moment(until);
  if (!request.withKey) {
    const again = kind === 'day' ? ` until ${then}. Run again then` : '. Run again in an hour';
    return new SkippableError(
      `${told} the public route, which takes no key, refuses this machine${again}; the account's key stays open.`,
      place,
    );
  }
  const byHand = `airank budget --reopen ${place.account}`;
  const text =
    kind === 'day'
      ? `${told} the server has closed the key until ${then}. Run again then; ${byHand} opens it sooner.`
      : `${told} the key is paused until ${then}. Lower AIRANK_PER_MINUTE, or find out who else uses the key; ${byHand} opens it sooner.`;
  return new BudgetExhaustedError(text, until, place);
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly raw?: Uint8Array;
  /** The parsed body; undefined for CSV, unless an object came instead. */
  readonly json: unknown;
  /** Number of invalid UTF-8 sequences that were replaced by U+FFFD. */
  readonly replacedBytes: number;
  readonly bytes: number;
  /** Requests it took, including refused and failed ones, but not those that never reached the server. */
  readonly attempts: number;
}

export interface RequestInfo {
  readonly stream: string;
  readonly route: string;
  readonly clientId: string | undefined;
  readonly attempt: number;
  readonly outcome: Verdict['kind'];
  /** True if it never reached the server; then it is not counted. */
  readonly unsent: boolean;
  readonly status: number | undefined;
  readonly durationMs: number;
}

export interface ApiClient {
  get(request: PageRequest, signal: AbortSignal): Promise<Answer>;
  /** The beginning of a body for an error text, without secrets. */
  quote(text: string): string;
  close(): Promise<void>;
}

interface ApiClientOptions {
  /** Without a key, only the public route can be read. */
  readonly account:
    | AccountConfig
    | (Pick<AccountConfig, 'name' | 'baseUrl' | 'keyFrom'> & { readonly apiKey?: never });
  readonly http: HttpConfig;
  readonly gate: Pick<Gate, 'run' | 'refused'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onRequest?: (info: RequestInfo) => void;
  /** Called for each answer with the server clock minus ours in ms, before the body is read. */
  readonly onClock?: (aheadMs: number) => void;
  /** Jitter source: from 0 (included) to 1. */
  readonly random?: () => number;
}

/** Creates the client of one account. Rejects plain http to any host but the loopback. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { account, http, gate, clock, logger } = options;
  if (account.baseUrl.protocol !== 'https:' && !isLoopback(account.baseUrl)) {
    throw new ConfigError([
      `Expected AIRANK_BASE_URL to start with https:// (account ${account.name}), got ${account.baseUrl.protocol}// with the host ${account.baseUrl.hostname}; http is for this machine (localhost) only`,
    ]);
  }
  const exchange = createExchange(account.apiKey === undefined ? undefined : account, http);
  const scrub = createScrubber(account.apiKey === undefined ? [] : [account.apiKey.reveal()]);
  const asking = { exchange, http, scrub, keyFrom: account.keyFrom };

  const get = async (request: PageRequest, signal: AbortSignal): Promise<Answer> => {
    const url = requestUrl(account.baseUrl, request);
    let failures = 0;
    let refusals = 0;
    let unsent = 0;
    for (let attempt = 1; ; attempt += 1) {
      const { stream, purpose, priority } = request;
      const { verdict, durationMs } = await gate.run({ stream, purpose, priority, signal }, async (seen) => {
        const startedAt = clock.now();
        const came = await askOnce(asking, url, request, signal, (head) => {
          // The headers of answers to requests without the key are not about this key.
          seen(request.withKey ? readRateHeaders(head.headers) : {});
          const aheadMs = clockAhead(head, startedAt, clock.now());
          if (aheadMs !== undefined) options.onClock?.(aheadMs);
        });
        // Still inside the slot, so that no request is let through between the refusal and its report.
        // A request without the key counts for none of ours.
        if (came.kind === 'refused' && request.withKey) {
          await gate.refused(afterRefusal(came.retryAfterMs, refusals + 1));
        }
        const result = { verdict: came, durationMs: clock.now() - startedAt };
        return { result, ...(isUnsent(came) && { unsent: true as const }) };
      });
      reportAttempt(request, verdict, attempt, durationMs);
      if (isUnsent(verdict)) unsent += 1;
      const place = placeOf(request, verdict, attempt - unsent);
      switch (verdict.kind) {
        case 'ok': {
          const { headers: _headers, ...answer } = verdict.answer;
          return { ...answer, json: verdict.json, attempts: attempt - unsent };
        }
        case 'refused': {
          refusals += 1;
          const { kind, waitMs } = afterRefusal(verdict.retryAfterMs, refusals);
          if (kind !== 'minute') {
            const until = new Date(clock.now() + waitMs);
            throw refusedForLong(request, { kind, until, refusals }, place);
          }
          await clock.sleep(waitMs + refusalExtraMs(refusals, options.random), signal);
          break;
        }
        case 'retry': {
          failures += 1;
          const isLast = failures >= http.maxAttempts;
          // A request that never reached the server costs no token, so nothing paces it: it waits even after its last
          // try.
          if (!isLast || verdict.unsent) await clock.sleep(backOffMs(failures, options.random), signal);
          if (isLast) {
            const tries = `after ${failures} of ${plural(http.maxAttempts, 'try', 'tries')}`;
            throw new RetryableError(
              `GET ${toldRoute(request)} ${verdict.problem}, ${tries}. ${verdict.fix}`,
              place,
              { cause: verdict.cause },
            );
          }
          break;
        }
        case 'quota':
          throw new SkippableError(
            `GET ${toldRoute(request)} answered 429 (quota): the daily cap of this kind of call is reached. It renews with the service's next day; run again then.`,
            place,
          );
        case 'unavailable':
          throw new UnavailableError(`GET ${toldRoute(request)} ${verdict.problem}. ${verdict.fix}`, place);
        case 'redirect':
          throw new SkippableError(`GET ${toldRoute(request)} ${verdict.problem}. ${verdict.fix}`, place);
        case 'skip':
          throw new SkippableError(`GET ${toldRoute(request)} ${verdict.problem}. ${verdict.fix}`, place, {
            cause: verdict.cause,
          });
      }
    }
  };

  const placeOf = (request: PageRequest, verdict: Verdict, attempt: number): ErrorPlace => ({
    account: account.name,
    stream: request.stream,
    route: request.route,
    clientId: request.clientId,
    method: 'GET',
    status: verdict.kind === 'ok' ? verdict.answer.status : verdict.status,
    attempt,
  });

  const reportAttempt = (request: PageRequest, verdict: Verdict, attempt: number, durationMs: number) => {
    const { status } = placeOf(request, verdict, attempt);
    const { stream, route, clientId } = request;
    const outcome = verdict.kind;
    const unsent = isUnsent(verdict);
    options.onRequest?.({ stream, route, clientId, attempt, outcome, unsent, status, durationMs });
    if (verdict.kind === 'retry' || verdict.kind === 'refused') {
      logger.warn({
        event: 'api.retry',
        account: account.name,
        stream,
        route,
        attempt,
        outcome,
        status,
        ...(verdict.kind === 'retry' && { problem: verdict.problem }),
        ...(verdict.kind === 'refused' && { retry_after_ms: verdict.retryAfterMs ?? null }),
      });
    }
  };

  return { get, quote: (text) => quote(text, scrub), close: () => exchange.close() };
}
