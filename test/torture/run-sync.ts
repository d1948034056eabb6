// A sync inside this process, as `airank sync` would do it, under a clock of which waiting takes no time.
import type pg from 'pg';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Ledger } from '../../src/core/budget.ts';
import type { Clock } from '../../src/core/clock.ts';
import { createLogger } from '../../src/core/logger.ts';
import { parseRunDate } from '../../src/core/run-date.ts';
import { createDatabase } from '../../src/db/database.ts';
import { resolveStreams } from '../../src/streams/catalog.ts';
import { runSync } from '../../src/sync/run/run.ts';
import type { AccountSummary } from '../../src/sync/run/summary.ts';
import { createMemoryLedger } from '../support/memory-ledger.ts';
import { publicIds, questions } from './world.ts';

/** What one key lives by over several runs: its time, and the ledger of its requests. */
export interface KeyLife {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly perDay: number;
  /** A day passes: the key is open again, and has all its requests. */
  nextDay(): void;
}

export function createKeyLife(perDay: number): KeyLife {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const make = () => createMemoryLedger({ nowMs: now, perDay });
  let today = make();
  const clock = {
    now,
    sleep: async (delayMs: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      const until = now() + delayMs;
      await new Promise((resolve) => setTimeout(resolve, Math.min(delayMs, 2)));
      signal?.throwIfAborted();
      aheadMs += Math.max(until - now(), 0);
    },
  };
  const ledger: Ledger = {
    take: (request) => today.take(request),
    settle: (ticket, reading) => today.settle(ticket, reading),
    giveBack: (ticket, request) => today.giveBack(ticket, request),
    block: (account, scope, delayMs) => today.block(account, scope, delayMs),
  };
  return {
    clock,
    ledger,
    perDay,
    nextDay: () => {
      aheadMs += 26 * 3_600_000;
      today = make();
    },
  };
}

export interface SyncRequest {
  readonly pool: pg.Pool;
  readonly url: string;
  readonly runDate: string;
  readonly streams: readonly string[];
  readonly life: KeyLife;
  readonly env?: Readonly<Record<string, string>>;
  /** Undefined: the account itself, and every client that is known. */
  readonly clientIds?: readonly string[] | undefined;
  readonly withClients?: boolean;
  readonly signal?: AbortSignal;
}

export type Synced = AccountSummary & { readonly exit_code: number };

const file = JSON.stringify({
  questions,
  public_ids: publicIds,
  streams: { airank_history: { format: 'csv' } },
});

export async function runOnce(request: SyncRequest): Promise<Synced> {
  const config = loadConfig({
    env: {
      AIRANK_BASE_URL: request.url,
      AIRANK_API_KEY: 'torture-key-123456',
      AIRANK_PER_MINUTE: '1000000',
      AIRANK_PER_DAY: String(request.life.perDay),
      ...request.env,
    },
    limits: { maxAttempts: 3, bodyTimeoutMs: 400 },
    cwd: '/nowhere',
    readFile: (path: string) => {
      if (path.endsWith('airank.config.yaml')) return file;
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    },
  });
  const runDate = parseRunDate(request.runDate);
  if (runDate === undefined) throw new RangeError(request.runDate);
  const streams = resolveStreams(config);
  const deps = {
    config,
    pool: request.pool,
    db: createDatabase(request.pool),
    ledger: request.life.ledger,
    clock: request.life.clock,
    logger: createLogger({ level: 'silent', format: 'json', secrets: [], write: () => undefined }),
    emit: () => undefined,
  };
  const signal = request.signal ?? new AbortController().signal;
  const summary = await runSync(deps, {
    job: 'sync',
    runDate,
    accounts: config.accounts,
    streams: streams.filter((stream) => request.streams.includes(stream.name)),
    clientsStream: request.withClients ? streams.find((stream) => stream.name === 'clientes') : undefined,
    clientIds: request.clientIds,
    again: false,
    walk: 'auto',
    signal,
    stop: signal,
  });
  const [account] = summary.accounts;
  if (account === undefined) throw new Error('no account');
  return { ...account, exit_code: summary.exit_code };
}
