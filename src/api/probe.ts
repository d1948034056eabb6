// One request through the gate and its ledger, without retries: what the server says to this key, now.
import type { AccountConfig, HttpConfig } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { createScrubber } from '../core/logger.ts';
import { askOnce } from './ask-once.ts';
import { isUnsent, type Verdict } from './classify.ts';
import { createExchange } from './exchange.ts';
import type { Gate } from './gate/gate.ts';
import { type RateHeaders, readRateHeaders } from './gate/rate-headers.ts';
import { type PageRequest, requestUrl } from './request.ts';
import { clockAhead, type OtherDay, otherDay } from './server-clock.ts';

export interface Probed {
  readonly verdict: Verdict;
  readonly headers: RateHeaders;
  /** The server's clock less ours, ms, give or take a second; undefined: no usable Date header. */
  readonly clockAheadMs: number | undefined;
  /** The clocks show different dates. */
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

/** @throws BudgetExhaustedError when no request remains today */
export async function probe(
  { account, http, gate, clock, timeZone }: ProbeDeps,
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
