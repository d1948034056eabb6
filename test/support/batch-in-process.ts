// A batch of several accounts inside the test's process, against the sandbox or any server with a key an account.
import type pg from 'pg';
import type { Limits } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createLogger } from '../../src/core/logger.ts';
import { parseRunDate } from '../../src/core/run-date.ts';
import { createDatabase } from '../../src/db/database.ts';
import { createLedger } from '../../src/store/budget/ledger.ts';
import { resolveStreams } from '../../src/streams/catalog.ts';
import { runSync } from '../../src/sync/run/run.ts';
import type { BatchSummary } from '../../src/sync/run/summary.ts';
import type { SyncDeps } from '../../src/sync/run/sync-options.ts';

export interface BatchRequest {
  readonly limits?: Partial<Limits>;
  readonly pool: pg.Pool;
  readonly url: string;
  /** One an account; its account is named after it. */
  readonly keys: readonly string[];
  readonly streams: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Each line of the log. */
  readonly log?: (line: Record<string, unknown>) => void;
  readonly emit?: SyncDeps['emit'];
  readonly stop?: AbortSignal;
}

export async function runBatch(request: BatchRequest): Promise<BatchSummary> {
  const { keys, log = () => undefined } = request;
  const accounts = keys.map((name) => ({
    name,
    api_key_env: `KEY_${name.toUpperCase().replaceAll('-', '_')}`,
  }));
  const named = Object.fromEntries(accounts.map(({ name, api_key_env }) => [api_key_env, name]));
  const config = loadConfig({
    env: {
      AIRANK_BASE_URL: request.url,
      AIRANK_PER_MINUTE: '1000000',
      AIRANK_PER_DAY: '1000000',
      ...named,
      ...request.env,
    },
    limits: request.limits,
    cwd: '/nowhere',
    readFile: (path) => {
      if (path.endsWith('airank.config.yaml')) return JSON.stringify({ accounts });
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    },
  });
  const runDate = parseRunDate('2025-03-01');
  if (runDate === undefined) throw new RangeError('no date');
  const db = createDatabase(request.pool);
  const ledger = createLedger(db, {
    limits: new Map(config.accounts.map((account) => [account.name, account])),
    dayRenewsAtMinutes: 0,
    sendWithinMs: 1_000,
  });
  const write = (line: string) => log(JSON.parse(line));
  const logger = createLogger({ level: 'debug', format: 'json', secrets: [], write });
  const { pool, emit = () => undefined } = request;
  const never = new AbortController().signal;
  return await runSync(
    { config, pool, db, ledger, clock: systemClock, logger, emit },
    {
      job: 'test',
      runDate,
      accounts: config.accounts,
      streams: resolveStreams(config).filter((stream) => request.streams.includes(stream.name)),
      clientsStream: undefined,
      clientIds: undefined,
      again: false,
      walk: 'auto',
      signal: never,
      stop: request.stop ?? never,
    },
  );
}
