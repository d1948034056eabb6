// An API client against a loopback server, with waits that are recorded instead of waited.

import { type ApiClient, createApiClient, type RequestInfo } from '../../src/api/client.ts';
import type { Attempt, Gate, Refusal } from '../../src/api/gate/gate.ts';
import type { RateHeaders } from '../../src/api/gate/rate-headers.ts';
import type { PageRequest } from '../../src/api/request.ts';
import { type AccountConfig, type HttpConfig, Secret } from '../../src/config/config.ts';
import type { Clock } from '../../src/core/clock.ts';
import { createLogger } from '../../src/core/logger.ts';

export const testKey = 'k-3f9a77c1d2';

export function testAccount(baseUrl: string): AccountConfig {
  return {
    name: 'default',
    baseUrl: new URL(baseUrl),
    apiKey: new Secret(testKey),
    perMinute: 60,
    perDay: 5_000,
    reservePercent: 5,
  };
}

export const testHttp: HttpConfig = {
  connectTimeoutMs: 2_000,
  bodyTimeoutMs: 5_000,
  maxBodyBytes: 1_000_000,
  maxNesting: 200,
  maxAttempts: 4,
  concurrency: 4,
};

export const listRequest: PageRequest = {
  stream: 'acciones',
  route: 'acciones',
  query: {},
  withKey: true,
  accept: 'json',
  purpose: 'job',
  priority: 5,
};

interface Recorded {
  readonly client: ApiClient;
  readonly sleeps: readonly number[];
  readonly refusals: readonly Refusal[];
  readonly headers: readonly RateHeaders[];
  readonly infos: readonly RequestInfo[];
  readonly log: readonly string[];
  /** Tokens taken. */
  runs(): number;
  /** Tokens given back. */
  unsent(): number;
}

export function recordedClient(
  baseUrl: string,
  over: { readonly http?: Partial<HttpConfig> } = {},
): Recorded {
  const sleeps: number[] = [];
  const refusals: Refusal[] = [];
  const headers: RateHeaders[] = [];
  const infos: RequestInfo[] = [];
  const log: string[] = [];
  let runs = 0;
  let givenBack = 0;
  const gate: Pick<Gate, 'run' | 'refused'> = {
    run: async <T>(_request: unknown, attempt: Attempt<T>): Promise<T> => {
      runs += 1;
      const { result, unsent } = await attempt((seen) => headers.push(seen));
      if (unsent) givenBack += 1;
      return result;
    },
    refused: async (refusal) => {
      refusals.push(refusal);
    },
  };
  const clock: Clock = {
    now: () => Date.UTC(2026, 0, 5, 6, 0, 0),
    sleep: async (delayMs, signal) => {
      signal?.throwIfAborted();
      sleeps.push(delayMs);
    },
  };
  const client = createApiClient({
    account: testAccount(baseUrl),
    http: { ...testHttp, ...over.http },
    gate: gate as Gate,
    clock,
    logger: createLogger({ level: 'trace', format: 'json', secrets: [], write: (line) => log.push(line) }),
    onRequest: (info) => infos.push(info),
    random: () => 0.5,
  });
  return { client, sleeps, refusals, headers, infos, log, runs: () => runs, unsent: () => givenBack };
}
