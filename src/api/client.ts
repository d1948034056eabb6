// One page request → its answer, or an error of the class that says what to do about it.
// The only place that retries; every attempt takes its own token from the gate.
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
import { classifyAnswer, classifyFailure, type Verdict } from './classify.ts';
import { createExchange, type RawHead } from './exchange.ts';
import type { Gate } from './gate.ts';
import { type RateHeaders, readRateHeaders } from './rate-headers.ts';
import { isLoopback, type PageRequest, requestUrl } from './request.ts';
import { backOffMs, refusalExtraMs } from './retry.ts';

export interface Answer {
  readonly status: number;
  /** The body as the server sent it, decoded. */
  readonly text: string;
  /** The parsed body; undefined for CSV. */
  readonly json: unknown;
  /** Invalid UTF-8 sequences that were replaced by U+FFFD. */
  readonly replacedBytes: number;
  /** Bytes of the body after decompression. */
  readonly bytes: number;
  /** Requests it took, refused and failed ones included. */
  readonly attempts: number;
}

/** One finished attempt, for progress and logs. */
export interface RequestInfo {
  readonly stream: string;
  readonly route: string;
  readonly clientId: string | undefined;
  readonly attempt: number;
  readonly outcome: Verdict['kind'];
  readonly status: number | undefined;
  readonly durationMs: number;
}

export interface ApiClient {
  get(request: PageRequest, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

export interface ApiClientOptions {
  readonly account: AccountConfig;
  readonly http: HttpConfig;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onRequest?: (info: RequestInfo) => void;
  /** For the jitter, 0 (included) to 1. */
  readonly random?: () => number;
}

/** Refusals of one request that are waited out; then the slice fails. */
const maxRefusals = 5;
/** A longer wait than this is not about the minute. */
const longestMinuteWaitMs = 120_000;
const minuteMs = 60_000;

/** A client of one account. Rejects plain http to any host but the loopback. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { account, http, gate, clock, logger } = options;
  if (account.baseUrl.protocol !== 'https:' && !isLoopback(account.baseUrl)) {
    throw new ConfigError([
      `Expected AIRANK_BASE_URL to start with https:// (account ${account.name}), got ${account.baseUrl.protocol}// with the host ${account.baseUrl.hostname}; plain http is for loopback hosts only`,
    ]);
  }
  const exchange = createExchange(account, http);
  const scrub = createScrubber([account.apiKey.reveal()]);

  const get = async (request: PageRequest, signal: AbortSignal): Promise<Answer> => {
    const url = requestUrl(account.baseUrl, request);
    let failures = 0;
    let refusals = 0;
    for (let attempt = 1; ; attempt += 1) {
      const { stream, purpose, priority } = request;
      const { verdict, durationMs } = await gate.run({ stream, purpose, priority, signal }, async (seen) => {
        const startedAt = clock.now();
        const came = await attemptOnce(url, request, signal, seen);
        // Still inside the slot, so that nobody is let through between the refusal and the word of it.
        if (came.kind === 'refused') {
          const kind = isDaySized(came.retryAfterMs, refusals + 1) ? 'day' : 'minute';
          await gate.refused({ kind, retryAfterMs: came.retryAfterMs });
        }
        return { result: { verdict: came, durationMs: clock.now() - startedAt } };
      });
      reportAttempt(request, verdict, attempt, durationMs);
      const place = placeOf(request, verdict, attempt);
      switch (verdict.kind) {
        case 'ok': {
          const { status, text, bytes, replacedBytes } = verdict.answer;
          return { status, text, json: verdict.json, replacedBytes, bytes, attempts: attempt };
        }
        case 'refused': {
          refusals += 1;
          if (isDaySized(verdict.retryAfterMs, refusals)) {
            const until = new Date(clock.now() + verdict.retryAfterMs);
            throw new BudgetExhaustedError(
              `GET ${request.route} answered 429 (rate_limited): the day's requests of the key are used up until ${until.toISOString()}. Run again then.`,
              until,
              place,
            );
          }
          if (refusals > maxRefusals) {
            throw new RetryableError(
              `GET ${request.route} was refused ${refusals} times (429, rate_limited) in spite of waiting. Lower AIRANK_PER_MINUTE, or find out who else uses the key.`,
              place,
            );
          }
          await clock.sleep(verdict.retryAfterMs + refusalExtraMs(refusals, options.random), signal);
          break;
        }
        case 'retry': {
          failures += 1;
          if (failures >= http.maxAttempts) {
            const tries = `after ${failures} of ${http.maxAttempts} tries`;
            throw new RetryableError(
              `GET ${request.route} ${verdict.problem}, ${tries}. ${verdict.mend}`,
              place,
              { cause: verdict.cause },
            );
          }
          await clock.sleep(backOffMs(failures, options.random), signal);
          break;
        }
        case 'quota':
          throw new SkippableError(
            `GET ${request.route} answered 429 (quota): the daily cap of this kind of call is reached. It renews with the service's next day; run again then.`,
            place,
          );
        case 'unavailable':
          throw new UnavailableError(`GET ${request.route} ${verdict.problem}. ${verdict.mend}`, place);
        case 'redirect':
          throw new SkippableError(`GET ${request.route} ${verdict.problem}. ${verdict.mend}`, place);
        case 'skip':
          throw new SkippableError(`GET ${request.route} ${verdict.problem}. ${verdict.mend}`, place, {
            cause: verdict.cause,
          });
      }
    }
  };

  const judging = ({ accept }: PageRequest) => ({ accept, maxNesting: http.maxNesting, scrub });

  /** What goes wrong on the wire is a verdict and not a throw, so that the gate still sees the headers. */
  const attemptOnce = async (
    url: string,
    request: PageRequest,
    signal: AbortSignal,
    seen: (headers: RateHeaders) => void,
  ): Promise<Verdict> => {
    let head: RawHead | undefined;
    try {
      const answer = await exchange.send(url, request, signal, (arrived) => {
        head = arrived;
        // Answers to requests without the key count for somebody else.
        seen(request.withKey ? readRateHeaders(arrived.headers) : {});
      });
      return classifyAnswer(answer, judging(request));
    } catch (error) {
      signal.throwIfAborted();
      if (head !== undefined && head.status >= 300) {
        // The status already says what this is; a broken error body adds nothing.
        const answer = { ...head, text: '', bytes: 0, replacedBytes: 0 };
        return classifyAnswer(answer, judging(request));
      }
      return classifyFailure(error, head?.status, http);
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
    options.onRequest?.({ stream, route, clientId, attempt, outcome: verdict.kind, status, durationMs });
    if (verdict.kind === 'retry' || verdict.kind === 'refused') {
      logger.warn({
        event: 'api.again',
        account: account.name,
        stream,
        route,
        attempt,
        outcome: verdict.kind,
        status,
        ...(verdict.kind === 'retry' && { problem: verdict.problem }),
        ...(verdict.kind === 'refused' && { retry_after_ms: verdict.retryAfterMs }),
      });
    }
  };

  return { get, close: () => exchange.close() };
}

/** A refusal that no wait within the minute can mend. */
function isDaySized(waitMs: number, refusals: number): boolean {
  return waitMs > longestMinuteWaitMs || (refusals > 1 && waitMs > minuteMs);
}
