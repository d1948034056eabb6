// One request through the gate and its ledger, without retries: what the server says to this key, now.
import type { AccountConfig, HttpConfig } from '../config/config.ts';
import { createScrubber } from '../core/logger.ts';
import { classifyAnswer, classifyFailure, type Verdict } from './classify.ts';
import { createExchange, headerText, type RawHead } from './exchange.ts';
import type { Gate } from './gate/gate.ts';
import { type RateHeaders, readRateHeaders } from './gate/rate-headers.ts';
import { type PageRequest, requestUrl } from './request.ts';

export interface Probed {
  readonly verdict: Verdict;
  readonly headers: RateHeaders;
  /** The server's clock less ours, ms, give or take a second; undefined: no usable Date header. */
  readonly clockAheadMs: number | undefined;
  readonly durationMs: number;
}

/** @throws BudgetExhaustedError when no request remains today */
export async function probe(
  account: AccountConfig,
  http: HttpConfig,
  gate: Gate,
  request: PageRequest,
  signal: AbortSignal,
): Promise<Probed> {
  const exchange = createExchange(account, http);
  const { stream, purpose, priority } = request;
  try {
    return await gate.run({ stream, purpose, priority, signal }, async (seen) => {
      const startedAt = Date.now();
      let head: RawHead | undefined;
      let headAt = startedAt;
      let verdict: Verdict;
      try {
        const answer = await exchange.send(
          requestUrl(account.baseUrl, request),
          request,
          signal,
          (arrived) => {
            head = arrived;
            headAt = Date.now();
            seen(readRateHeaders(arrived.headers));
          },
        );
        const scrub = createScrubber([account.apiKey.reveal()]);
        verdict = classifyAnswer(answer, {
          accept: request.accept,
          maxNesting: http.maxNesting,
          scrub,
        });
      } catch (error) {
        signal.throwIfAborted();
        verdict = classifyFailure(error, head?.status, http);
      }
      const headers = head === undefined ? {} : readRateHeaders(head.headers);
      const clockAheadMs = clockAhead(headerText(head?.headers['date']), startedAt, headAt);
      const result = { verdict, headers, clockAheadMs, durationMs: Date.now() - startedAt };
      return { result, ...(verdict.kind === 'retry' && verdict.unsent && { unsent: true as const }) };
    });
  } finally {
    await exchange.close();
  }
}

/** The header says whole seconds, rounded down, of some moment between request and answer. */
function clockAhead(date: string | undefined, startedAtMs: number, headAtMs: number): number | undefined {
  const serverMs = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(serverMs) ? undefined : serverMs + 500 - (startedAtMs + headAtMs) / 2;
}
