// Syncs inside the test's process: settings as the environment would give them, a real warehouse.
import type pg from 'pg';
import type { Config, Limits } from '../../src/config/config.ts';
import type { Ledger } from '../../src/core/budget.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { createLogger, type Logger } from '../../src/core/logger.ts';
import { parseRunDate, runDateIn } from '../../src/core/run-date.ts';
import { createDatabase } from '../../src/db/database.ts';
import { createLedger } from '../../src/store/budget/ledger.ts';
import { resolveStreams } from '../../src/streams/catalog.ts';
import { runSync } from '../../src/sync/run/run.ts';
import type { AccountSummary, BatchSummary } from '../../src/sync/run/summary.ts';
import type { SyncListener } from '../../src/sync/run/sync-options.ts';
import { accountsConfig, load, silent, unlimited } from './config-fixtures.ts';

interface SyncParts {
  readonly pool: pg.Pool;
  /** Undefined: that of the clock, as without --run-date. */
  readonly runDate: string | undefined;
  readonly clock?: Clock;
  readonly streams: readonly string[];
  readonly again?: boolean;
  readonly acceptVanished?: ReadonlySet<string> | undefined;
  readonly walk?: 'auto' | 'full';
  readonly clientIds?: readonly string[] | undefined;
  /** Each client's own streams too, as `airank sync` does. Default: the account's alone. */
  readonly everyClient?: boolean | undefined;
  readonly emit?: SyncListener;
  /** Default: that of the warehouse. */
  readonly ledger?: Ledger;
  readonly logger?: Logger;
  readonly signal?: AbortSignal | undefined;
}

/** All accounts of a configuration. */
export async function syncWith(config: Config, request: SyncParts): Promise<BatchSummary> {
  const { pool, clock = systemClock, signal = new AbortController().signal } = request;
  const { ledger, logger = silent, emit = () => undefined, again = false, walk = 'auto' } = request;
  const isOwnDate = request.runDate === undefined;
  const runDate = isOwnDate
    ? runDateIn(config.timeZone, new Date(clock.now()))
    : parseRunDate(request.runDate);
  if (runDate === undefined) throw new RangeError(request.runDate);
  const all = resolveStreams(config);
  const db = createDatabase(pool);
  const ownLedger = createLedger(db, {
    limits: new Map(config.accounts.map((account) => [account.name, account])),
    dayRenewsAtMinutes: 0,
    learnDayRenewal: false,
    sendWithinMs: 1_000,
  });
  return await runSync(
    { config, pool, db, ledger: ledger ?? ownLedger, clock, logger, emit },
    {
      job: 'test',
      runDate,
      isOwnDate,
      accounts: config.accounts,
      streams: all.filter((stream) => request.streams.includes(stream.name)),
      clientsStream: request.everyClient ? all.find(({ name }) => name === 'clientes') : undefined,
      clientIds: request.clientIds,
      again,
      acceptVanished: request.acceptVanished,
      walk,
      signal,
    },
  );
}

export interface SyncRequest extends SyncParts {
  readonly url: string;
  /** Beside the address and the key. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text of the configuration file. */
  readonly file?: string | undefined;
  /** Default: one attempt. */
  readonly limits?: Partial<Limits>;
}

export type Synced = AccountSummary & Pick<BatchSummary, 'exit_code'>;

export async function syncOnce({ url, env, file, limits, ...parts }: SyncRequest): Promise<Synced> {
  const key = { AIRANK_BASE_URL: url, AIRANK_API_KEY: 'test-key-123456' };
  const files = file === undefined ? {} : { 'airank.config.yaml': file };
  const config = load({ ...key, ...unlimited, ...env }, files, { limits: { maxAttempts: 1, ...limits } });
  return onlyAccount(await syncWith(config, parts));
}

export function onlyAccount({ accounts: [account], exit_code }: BatchSummary): Synced {
  if (account === undefined) throw new Error('no account');
  return { ...account, exit_code };
}

interface BatchRequest extends Omit<SyncRequest, 'runDate'> {
  /** One an account; its account is named after it. */
  readonly keys: readonly string[];
  /** Each line of the log. */
  readonly log?: (line: Record<string, unknown>) => void;
}

/** A batch of several accounts, against the sandbox or any server with a key an account. */
export async function runBatch({
  url,
  keys,
  env,
  limits,
  log,
  ...parts
}: BatchRequest): Promise<BatchSummary> {
  const write = (line: string) => log?.(JSON.parse(line));
  const logger = createLogger({ level: 'debug', format: 'json', secrets: [], write });
  return await syncWith(accountsConfig(url, keys, env, limits), { runDate: '2025-03-01', logger, ...parts });
}
