// A sync inside the test's process: settings as the environment would give them, a real warehouse.
import type pg from 'pg';
import type { Limits } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { createLogger } from '../../src/core/logger.ts';
import { parseRunDate, runDateIn } from '../../src/core/run-date.ts';
import { createDatabase } from '../../src/db/database.ts';
import { createLedger } from '../../src/store/budget/ledger.ts';
import { resolveStreams } from '../../src/streams/catalog.ts';
import { runSync } from '../../src/sync/run/run.ts';
import type { BatchSummary, RunSummary } from '../../src/sync/run/summary.ts';
import type { SyncListener } from '../../src/sync/run/sync-options.ts';

export interface SyncRequest {
  readonly pool: pg.Pool;
  readonly url: string;
  /** Undefined: that of the clock, as without --run-date. */
  readonly runDate: string | undefined;
  readonly clock?: Clock;
  readonly streams: readonly string[];
  /** Beside the address and the key. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: one attempt. */
  readonly limits?: Partial<Limits>;
  readonly again?: boolean;
  readonly walk?: 'auto' | 'full';
  readonly clientIds?: readonly string[];
  /** Each client's own streams too, as `airank sync` does. Default: the account's alone. */
  readonly everyClient?: true;
  readonly emit?: SyncListener;
}

export async function syncOnce(request: SyncRequest): Promise<RunSummary & Pick<BatchSummary, 'exit_code'>> {
  const config = loadConfig({
    env: {
      AIRANK_BASE_URL: request.url,
      AIRANK_API_KEY: 'test-key-123456',
      AIRANK_PER_MINUTE: '1000000',
      AIRANK_PER_DAY: '1000000',
      ...request.env,
    },
    limits: { maxAttempts: 1, ...request.limits },
    cwd: '/nowhere',
    readFile: () => {
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    },
  });
  const clock = request.clock ?? systemClock;
  const runDate =
    request.runDate === undefined
      ? runDateIn(config.timeZone, new Date(clock.now()))
      : parseRunDate(request.runDate);
  if (runDate === undefined) throw new RangeError(request.runDate);
  const all = resolveStreams(config);
  const db = createDatabase(request.pool);
  const ledger = createLedger(db, {
    limits: new Map(config.accounts.map((account) => [account.name, account])),
    dayRenewsAtMinutes: 0,
    sendWithinMs: 1_000,
  });
  const deps = {
    config,
    pool: request.pool,
    db,
    ledger,
    clock,
    logger: createLogger({ level: 'silent', format: 'json', secrets: [], write: () => undefined }),
    emit: request.emit ?? (() => undefined),
  };
  const never = new AbortController().signal;
  const summary = await runSync(deps, {
    job: 'test',
    runDate,
    isOwnDate: request.runDate === undefined,
    accounts: config.accounts,
    streams: all.filter((stream) => request.streams.includes(stream.name)),
    clientsStream: request.everyClient ? all.find(({ name }) => name === 'clientes') : undefined,
    clientIds: request.clientIds,
    again: request.again ?? false,
    walk: request.walk ?? 'auto',
    signal: never,
    stop: never,
  });
  const [account] = summary.accounts;
  if (account === undefined) throw new Error('no account');
  return { ...account, exit_code: summary.exit_code };
}
