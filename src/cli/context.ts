// The start of every command: configuration, logger, and the warehouse opened and closed around it.
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import { secretsOf } from '../config/secrets-of.ts';
import type { Ledger } from '../core/budget.ts';
import { systemClock } from '../core/clock.ts';
import { ConfigError, messageOf, WarehouseError } from '../core/errors.ts';
import { createLogger, createScrubber, type Logger } from '../core/logger.ts';
import { createDatabase, type Executor } from '../db/database.ts';
import { openEmbeddedPostgres } from '../db/embedded/open.ts';
import { namingHolders } from '../db/lock-holders.ts';
import { createPool, expectAnswer, expectWrites, tlsFix } from '../db/pool.ts';
import { createDatabaseRetry } from '../db/retry-on-disconnect.ts';
import { isBusy, isConnectionLost, isReadOnly } from '../db/sqlstate.ts';
import { pendingSchema } from '../install/expect-schema.ts';
import { migrate } from '../install/migrate.ts';
import { checkConfigured } from '../mapping/change-mapping.ts';
import { createLedgerOf } from '../store/budget/ledger.ts';
import { catalog, resolveStreams } from '../streams/catalog.ts';
import type { Stream } from '../streams/stream.ts';
import { type Place, say, type Terminal } from './terminal.ts';

/** Name of the database that a demo makes anew each time. */
export const demoDatabase = 'airank_demo';

export interface Settings {
  readonly config: Config;
  readonly streams: readonly Stream[];
  readonly logger: Logger;
  readonly scrub: (text: string) => string;
  /** True for the demo, which uses its own database whatever the settings say. */
  readonly isDemo: boolean;
}

/** @throws ConfigError with every fault of every setting */
export function readSettings(place: Place, options: { readonly needAccounts: boolean }): Settings {
  const config = loadConfig({
    env: place.env,
    cwd: place.cwd,
    needAccounts: options.needAccounts,
    limits: place.limits,
    check: (given) => [
      ...faultsOf(() => checkConfigured(given.mapping)),
      ...faultsOf(() => resolveStreams(given)),
    ],
  });
  const secrets = secretsOf(config);
  const write = (line: string) => place.stderr.write(line);
  const logger = createLogger({ level: config.logLevel, format: config.logFormat, secrets, write });
  return {
    config,
    streams: resolveStreams(config),
    logger,
    scrub: createScrubber(secrets),
    isDemo: false,
  };
}

function faultsOf(work: () => unknown): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

export interface OpenWarehouse {
  readonly pool: pg.Pool;
  readonly db: Executor;
  readonly ledger: Ledger;
  /** For psql; holds the password. */
  readonly url: string;
  readonly embedded: boolean;
}

export interface OpenOptions {
  /**
   * How to treat a schema of another version. `migrate`: bring it up to date first, and fill tables whose
   * mapping changed. `migrate_only`: the same, but leave those tables alone if the schema is up to date.
   * `leave`: the command checks for itself. Default `migrate`.
   */
  readonly schema?: 'migrate' | 'migrate_only' | 'leave';
  /** Creates no database in the embedded Postgres; opens an empty one instead. Default: no. */
  readonly isThere?: boolean;
  /**
   * Waits up to five minutes for a database that does not answer yet. By default only for one
   * that has no free connection; false, as in doctor: for neither.
   */
  readonly waits?: boolean;
  /** Reads the current address from the settings; for processes that run for weeks. */
  readonly renewed?: () => string | undefined;
  /** Limits connections further than the setting does. */
  readonly connections?: number;
}

/** Opens the warehouse, lets `work` use it, and closes it whatever happens. */
export async function withWarehouse<Result>(
  terminal: Pick<Terminal, 'signal' | 'stderr' | 'env'>,
  settings: Settings,
  options: OpenOptions,
  work: (warehouse: OpenWarehouse) => Promise<Result>,
): Promise<Result> {
  const { config, logger } = settings;
  const server =
    config.databaseUrl === undefined ? await openEmbedded(terminal, settings, options) : undefined;
  const url = server?.url ?? config.databaseUrl?.reveal() ?? '';
  // Only the session of the locks holds a connection while others are asked for, so any number is enough.
  const max = Math.min(config.databaseConnections, options.connections ?? config.databaseConnections);
  const { renewed } = options;
  const pool = createPool({ connectionString: url, renewed, max, applicationName: 'airank-warehouse' });
  try {
    const retry = createDatabaseRetry({
      clock: systemClock,
      logger,
      patienceMs: (error) =>
        (options.waits ?? (isBusy(error) || isReadOnly(error))) ? config.databasePatienceMs : 0,
    });
    const writes = options.waits === true || (options.schema ?? 'migrate') !== 'leave';
    const isThere = writes ? expectWrites : expectAnswer;
    await retry((back) => isThere(pool).then(back), terminal.signal).catch((error: unknown) => {
      if (error instanceof ConfigError) throw error;
      throw unreachable(url, error instanceof WarehouseError ? error.cause : error, options);
    });
    await prepareSchema(pool, options.schema ?? 'migrate', settings);
    const db = createDatabase(pool);
    const ledger = createLedgerOf(db, config);
    return await work({ pool, db, ledger, url, embedded: server !== undefined });
  } catch (error) {
    if (isConnectionLost(error) || isBusy(error) || isReadOnly(error)) throw unreachable(url, error, options);
    throw await namingHolders(createDatabase(pool), error);
  } finally {
    await pool.end().catch((error: unknown) => logger.debug({ event: 'pool.end_failed', err: error }));
    await server?.close();
  }
}

async function openEmbedded(
  terminal: Pick<Terminal, 'signal' | 'stderr' | 'env'>,
  settings: Settings,
  options: OpenOptions,
) {
  const { config, logger } = settings;
  return await openEmbeddedPostgres({
    dataDir: config.dataDir,
    database: settings.isDemo ? demoDatabase : 'airank',
    isThere: options.isThere === true,
    log: (note) =>
      config.logFormat === 'json' ? logger.info({ event: 'postgres.note', note }) : say(terminal, note),
    signal: terminal.signal,
  });
}

/** Every stream that has a partition: those of the catalog and those of the configuration. */
export function streamNames(settings: Settings): string[] {
  return [...new Set([...catalog, ...settings.streams].map((stream) => stream.name))];
}

export async function prepareSchema(
  pool: pg.Pool,
  schema: NonNullable<OpenOptions['schema']>,
  settings: Settings,
): Promise<void> {
  if (schema === 'leave') return;
  const names = streamNames(settings);
  if (schema === 'migrate') {
    const { applied, again, views } = await migrate(pool, names);
    if (applied.length > 0) settings.logger.info({ event: 'warehouse.migrated', applied });
    const { dropped, left } = views;
    if (dropped.length > 0) settings.logger.info({ event: 'warehouse.views_dropped', dropped });
    for (const one of left) settings.logger.warn({ event: 'warehouse.view_kept', ...one });
    if (again.length > 0) settings.logger.warn({ event: 'warehouse.recreated', objects: again });
    return;
  }
  if ((await pendingSchema(pool)).length > 0) await migrate(pool, names);
}

function unreachable(url: string, error: unknown, { waits }: OpenOptions): WarehouseError {
  const { hostname, port, pathname } = new URL(url);
  const where = `the database ${pathname.slice(1)} at ${hostname}:${port || '5432'}`;
  const look = waits === false ? '' : '; airank doctor says more';
  if (isReadOnly(error)) {
    const fix = `Free space on its disc, or set DATABASE_URL to the primary${look}`;
    return new WarehouseError(`Cannot write to ${where}: ${messageOf(error)}. ${fix}`, {}, { cause: error });
  }
  return new WarehouseError(
    isBusy(error)
      ? `No connection was free at ${where}: ${messageOf(error)}. ` +
          'Lower AIRANK_DATABASE_CONNECTIONS, here or where others use it, or raise max_connections of the server, the ' +
          'connection limit of the role, or the pool size of a pooler: a command needs two'
      : `Cannot reach ${where}: ${messageOf(error)}. ${
          tlsFix(error, url, 'DATABASE_URL') ?? `Check DATABASE_URL and that the server runs${look}`
        }`,
    {},
    { cause: error },
  );
}
