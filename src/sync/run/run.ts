// A batch: one execution of a job over its accounts, side by side, each with its own run and budget.

import PQueue from 'p-queue';
import type { AccountConfig, Config } from '../../config/config.ts';
import { ConfigError, messageOf, WarehouseError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import type { RunDate } from '../../core/run-date.ts';
import { readCodeFiles } from '../../db/code/code-files.ts';
import { findCodeChanges, installFunctions, installViews } from '../../db/code/install-code.ts';
import type { Executor } from '../../db/database.ts';
import { lockHolders } from '../../db/lock-holders.ts';
import { expectWrites } from '../../db/pool.ts';
import { createDatabaseRetry } from '../../db/retry-on-disconnect.ts';
import { ensureStreams } from '../../install/migrate.ts';
import { refreshInTurn } from '../../publish/views/refresh-in-turn.ts';
import { refreshMapping } from '../../publish/views/refresh-mapping.ts';
import { refreshViews } from '../../publish/views/refresh-views.ts';
import { noteKeyConflicts } from '../../store/fields/learn-fields.ts';
import { pathText } from '../../store/fields/names.ts';
import { type Batch, startBatch } from '../../store/slices/runs.ts';
import { newestPublished } from '../../store/slices/slices.ts';
import { watchDay } from './day-watch.ts';
import { type RunDeps, runAccount } from './run-account.ts';
import { type BatchSummary, batchVerdict, type RunSummary, totalsOf } from './summary.ts';
import type { RunEnds, SyncDeps, SyncOptions } from './sync-options.ts';

type SeenInViews = Pick<BatchSummary, 'drift' | 'view_failures'>;

/**
 * Interval at which a waiting batch looks whether it is its turn. The wait has a limit, as a frozen process may have
 * it.
 */
const lookEveryMs = 300;
const longestWaitMs = 10 * 60_000;

/**
 * Updates the views with new fields after a batch has published. Never fails a batch. Batches that end at the same time
 * share one refresh; `stop` ends the wait for it.
 */
export async function refreshAfterBatch(
  deps: Pick<SyncDeps, 'clock' | 'config' | 'db' | 'logger' | 'pool'>,
  stop: AbortSignal,
): Promise<SeenInViews> {
  const { clock, config, db, logger, pool } = deps;
  const until = clock.now() + longestWaitMs;
  const wait = async () => {
    if (clock.now() < until) return await clock.sleep(lookEveryMs, stop);
    const holders = await lockHolders(db);
    throw new WarehouseError(
      `Another process is still refreshing the views after ${longestWaitMs / 60_000} minutes. Locks are held by: ${holders}. The next sync refreshes them`,
    );
  };
  try {
    return await refreshInTurn(pool, db, () => refresh(db, config.mapping, logger), wait);
  } catch (error) {
    if (stop.aborted) return { drift: [], view_failures: [] };
    // The data is published; the next batch tries the views again.
    logger.error({ event: 'views.failed', err: error });
    return { drift: [], view_failures: [{ source: '(all)', error: messageOf(error) }] };
  }
}

async function refresh(db: Executor, mapping: Config['mapping'], logger: Logger): Promise<SeenInViews> {
  const files = await readCodeFiles();
  const changes = await findCodeChanges(db, files);
  // A text that differs comes from another release, and its views are not ours to make.
  const isOurs = [...changes.functions, ...changes.views].every(({ makes }) =>
    makes.some((object) => changes.gone.includes(object)),
  );
  const gone = isOurs ? changes.gone : [];
  if (gone.length > 0) await installFunctions(db, files);
  const conflicts = await noteKeyConflicts(db);
  const { drift: fields, refreshed, failed } = await refreshViews(db);
  const drift = [...conflicts, ...fields];
  const remapped = await refreshMapping(db, mapping);
  if (gone.length > 0) await installViews(db, files);
  if (gone.length > 0) logger.warn({ event: 'warehouse.recreated', objects: gone });
  if (remapped.length > 0) logger.info({ event: 'views.mapped', sources: remapped });
  for (const { source, error } of failed) logger.warn({ event: 'views.stale', source, error });
  if (refreshed.length > 0) logger.info({ event: 'views.refreshed', sources: refreshed.length });
  for (const one of drift) logger.warn({ event: 'data.drift', ...one });
  return {
    drift: drift.map((one) => ({ ...one, path: one.path.length === 0 ? '' : pathText(one.path) })),
    view_failures: failed,
  };
}

/** Undefined if the account may sync the run date. */
export async function olderDateFault(
  db: Executor,
  account: string,
  runDate: RunDate,
): Promise<string | undefined> {
  const newest = await newestPublished(db, account);
  if (newest === undefined || runDate >= newest) return undefined;
  return (
    `Expected a run date of ${newest} or later, the newest published date of account ${account}, ` +
    `got ${runDate}. The API shows only today's data, so an older date can no longer be loaded`
  );
}

/**
 * Brings one run date into the warehouse, as far as the budget goes.
 * @throws ConfigError when a newer run date is published already
 * @throws WarehouseError when the warehouse is gone
 */
export async function runSync(deps: SyncDeps, options: SyncOptions): Promise<BatchSummary> {
  const day = watchDay(deps.clock, deps.config.timeZone, options.signal);
  try {
    return await runBatch(deps, options, { ...day, stop: options.signal });
  } finally {
    day.release();
  }
}

async function runBatch(deps: SyncDeps, options: SyncOptions, ends: RunEnds): Promise<BatchSummary> {
  const { clock, config, db, pool } = deps;
  const { job, runDate: run_date } = options;
  const { stop } = ends;
  const retry = createDatabaseRetry({
    clock,
    logger: deps.logger,
    patienceMs: () => config.databasePatienceMs,
    expectWrites: () => expectWrites(pool),
    onOutage: (since) => deps.emit({ kind: 'database', since }),
  });
  const streams = options.streams.map((stream) => stream.name);
  await retry(async () => {
    const newer = await Promise.all(options.accounts.map(({ name }) => olderDateFault(db, name, run_date)));
    const faults = newer.flatMap((fault) => fault ?? []);
    if (faults.length > 0) throw new ConfigError(faults);
    await ensureStreams(db, ['envelope', ...streams]);
  }, stop);
  const startedAt = clock.now();
  const selection = {
    accounts: options.accounts.map((account) => account.name),
    streams,
    client_ids: options.clientIds ?? null,
    walk: options.walk,
    ...(options.isAside === true && { is_aside: true }),
  };
  const batch = await retry(() => startBatch(pool, db, { job, selection }), stop);
  const logger = deps.logger.child({ batch_id: batch.id, job });
  logger.info({ event: 'batch.started', run_date, accounts: options.accounts.length });
  try {
    const { accounts, notStarted } = await runAccounts({ ...deps, logger, retry }, options, batch, ends);
    // A stopped batch must end soon, so the next one refreshes the views.
    const views = ends.signal.aborted
      ? { drift: [], view_failures: [] }
      : await refreshAfterBatch({ ...deps, logger }, stop);
    const verdict = batchVerdict(accounts, notStarted);
    const common = { exit_code: verdict.exit_code, accounts_not_started: notStarted, ...views };
    await retry(() => batch.finish(verdict.status, common), stop);
    const summary: BatchSummary = {
      batch_id: batch.id,
      job,
      run_date,
      ...verdict,
      started_at: new Date(startedAt).toISOString(),
      finished_at: new Date(clock.now()).toISOString(),
      accounts,
      accounts_not_started: notStarted,
      ...views,
    };
    logger.info({ event: 'batch.finished', run_date, ...totalsOf(summary) });
    return summary;
  } catch (error) {
    // The failure may be the warehouse's; then the lock shows that the batch is dead.
    await batch.finish('failed', null).catch(() => undefined);
    throw error;
  } finally {
    await batch.release();
  }
}

/** Runs some accounts at once. Returns their results in order, and the accounts that a stop left out. */
async function runAccounts(
  deps: RunDeps,
  options: SyncOptions,
  batch: Batch,
  ends: RunEnds,
): Promise<{ accounts: readonly RunSummary[]; notStarted: readonly string[] }> {
  const place = { batchId: batch.id, workerId: batch.workerId, attempt: 1 };
  const queue = new PQueue({ concurrency: deps.config.accountConcurrency });
  const notStarted: string[] = [];
  const broken: unknown[] = [];
  const take = async (account: AccountConfig): Promise<readonly RunSummary[]> => {
    // An error in one account does not stop the others, unless the warehouse is gone.
    if (ends.signal.aborted || broken.some((error) => error instanceof WarehouseError)) {
      notStarted.push(account.name);
      return [];
    }
    try {
      return [await runAccount(deps, { account, question: options, place, ends })];
    } catch (error) {
      broken.push(error);
      return [];
    }
  };
  const summaries = await Promise.all(options.accounts.map((account) => queue.add(() => take(account))));
  if (broken.length > 0) throw broken[0];
  return { accounts: summaries.flat(), notStarted };
}
