// Sends one read request, once, and returns its outcome, even if only the head of an answer arrived.
import type { AccountConfig, HttpConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { createScrubber } from '../core/logger.ts';
import { classifyAnswer, classifyFailure, isUnsent, type Verdict } from './classify.ts';
import {
  bodiless,
  clockAhead,
  createExchange,
  type Exchange,
  type OtherDay,
  otherDay,
  type RawHead,
} from './exchange.ts';
import type { Gate } from './gate/gate.ts';
import { type RateHeaders, readRateHeaders } from './gate/rate-headers.ts';
import { type PageRequest, requestUrl } from './request.ts';

export interface Probed {
  readonly verdict: Verdict;
  readonly headers: RateHeaders;
  /** Server clock minus ours in ms, within about a second; undefined without a usable Date header. */
  readonly clockAheadMs: number | undefined;
  readonly otherDay?: OtherDay | undefined;
  readonly durationMs: number;
}

interface ProbeDeps {
  readonly account: AccountConfig;
  readonly http: HttpConfig;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly timeZone: string;
}

/**
 * Sends one request through the gate and its ledger, without retries, to learn how the server treats this key now.
 * @throws BudgetExhaustedError when no request remains today
 */
export async function probe(
  { account, http, gate, clock, timeZone }: ProbeDeps,
  request: PageRequest,
  signal: AbortSignal,
): Promise<Probed> {
  const exchange = createExchange(account, http);
  const asking = {
    exchange,
    http,
    scrub: createScrubber([account.apiKey.reveal()]),
    keyFrom: account.keyFrom,
  };
  const { stream, purpose, priority } = request;
  try {
    return await gate.run({ stream, purpose, priority, signal }, async (seen) => {
      const startedAtMs = clock.now();
      let headers: RateHeaders = {};
      let clockAheadMs: number | undefined;
      const url = requestUrl(account.baseUrl, request);
      const verdict = await askOnce(asking, url, request, signal, (head) => {
        headers = readRateHeaders(head.headers);
        clockAheadMs = clockAhead(head, startedAtMs, clock.now());
        seen(headers);
      });
      const nowMs = clock.now();
      const result = {
        verdict,
        headers,
        clockAheadMs,
        otherDay: clockAheadMs === undefined ? undefined : otherDay(clockAheadMs, nowMs, timeZone),
        durationMs: nowMs - startedAtMs,
      };
      return { result, ...(isUnsent(verdict) && { unsent: true as const }) };
    });
  } finally {
    await exchange.close();
  }
}

interface AskDeps {
  readonly exchange: Exchange;
  readonly http: HttpConfig;
  readonly scrub: (text: string) => string;
  readonly keyFrom: string | undefined;
}

/**
 * A failure on the wire is returned as a verdict, not thrown, so that the gate still sees the headers.
 * @param onHead runs as soon as the headers are in
 */
export async function askOnce(
  { exchange, http, scrub, keyFrom }: AskDeps,
  url: string,
  request: PageRequest,
  signal: AbortSignal,
  onHead: (head: RawHead) => void = () => undefined,
): Promise<Verdict> {
  const { accept, pathId } = request;
  const judging = {
    accept,
    maxNesting: http.maxNesting,
    scrub,
    keyFrom,
    ...(pathId !== undefined && { publicId: pathId }),
  };
  let head: RawHead | undefined;
  try {
    const answer = await exchange.send(url, request, signal, (arrived) => {
      head = arrived;
      onHead(arrived);
    });
    return classifyAnswer(answer, judging);
  } catch (error) {
    signal.throwIfAborted();
    // The status already says what this is; a broken error body adds nothing.
    if (head !== undefined && head.status >= 300) return classifyAnswer(bodiless(head), judging);
    return classifyFailure(error, head?.status, http);
  }
}
