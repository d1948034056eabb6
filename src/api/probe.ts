// One request through the gate and its ledger, without retries: what the server says to this key, now.
import type { AccountConfig, HttpConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { createScrubber } from '../core/logger.ts';
import { askOnce } from './ask-once.ts';
import { isUnsent, type Verdict } from './classify.ts';
import { createExchange, headerText } from './exchange.ts';
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

interface ProbeDeps {
  readonly account: AccountConfig;
  readonly http: HttpConfig;
  readonly gate: Gate;
  readonly clock: Clock;
}

/** @throws BudgetExhaustedError when no request remains today */
export async function probe(
  { account, http, gate, clock }: ProbeDeps,
  request: PageRequest,
  signal: AbortSignal,
): Promise<Probed> {
  const exchange = createExchange(account, http);
  const asking = { exchange, http, scrub: createScrubber([account.apiKey.reveal()]) };
  const { stream, purpose, priority } = request;
  try {
    return await gate.run({ stream, purpose, priority, signal }, async (seen) => {
      const startedAtMs = clock.now();
      let headers: RateHeaders = {};
      let clockAheadMs: number | undefined;
      const url = requestUrl(account.baseUrl, request);
      const verdict = await askOnce(asking, url, request, signal, (head) => {
        headers = readRateHeaders(head.headers);
        clockAheadMs = clockAhead(headerText(head.headers['date']), startedAtMs, clock.now());
        seen(headers);
      });
      const result = { verdict, headers, clockAheadMs, durationMs: clock.now() - startedAtMs };
      return { result, ...(isUnsent(verdict) && { unsent: true as const }) };
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
