// One due moment of a job becomes a batch of the queue, which workers take account by account.
import type { Config } from '../../config/config.ts';
import type { Executor } from '../../db/database.ts';
import { enqueueBatch } from '../../queue/enqueue.ts';
import { findRenamed, refuseRenamed, renamedFix, renamedText } from '../../store/aliases.ts';
import { resolveStreams } from '../../streams/catalog.ts';
import type { SyncDeps } from '../../sync/run/sync-options.ts';
import type { Job, SyncJob } from '../define-job.ts';
import { isSyncJob } from './is-sync-job.ts';
import { underJobLock } from './job-lock.ts';
import type { DueJob } from './overdue.ts';
import { resolveJob } from './resolve-job.ts';

/** Jobs of so few accounts begin at once. */
const mostAtOnce = 20;

/** `busy`: somebody runs the job by hand just now, or no account of it is left for this moment. */
export async function enqueueJob(
  deps: Pick<SyncDeps, 'pool' | 'db' | 'config' | 'logger'>,
  { job, dueAt }: DueJob,
): Promise<'done' | 'busy'> {
  const { db, config, logger } = deps;
  // Where it is queued without a moment, another scheduler that awoke has been faster.
  const locked = { name: job.name, unlessQueued: dueAt === undefined };
  const done = await underJobLock(deps, locked, async () => {
    const accounts = isSyncJob(job)
      ? await accountsLeft(db, accountsOf(job, config), { config, logger })
      : undefined;
    const batch = await enqueueBatch(db, {
      job: job.name,
      kind: job.kind ?? 'sync',
      selection: { job, ...(isSyncJob(job) && scopeOf(job, config)) },
      accounts,
      dueAt,
      priority: job.priority ?? 'normal',
      spreadMs: accounts === undefined || accounts.length <= mostAtOnce ? 0 : config.spreadMs,
    });
    if (batch === undefined) return undefined;
    const many = accounts === undefined ? {} : { accounts: accounts.length };
    logger.info({ event: 'batch.started', batch_id: batch, job: job.name, ...many });
    return 'done' as const;
  });
  return done ?? 'busy';
}

/**
 * Those that have the same name in the warehouse; one that has another does not stop the others.
 * @throws ConfigError where none is left
 */
async function accountsLeft(
  db: Executor,
  names: readonly string[],
  { config, logger }: Pick<SyncDeps, 'config' | 'logger'>,
): Promise<readonly string[]> {
  const accounts = config.accounts.filter(({ name }) => names.includes(name));
  const renamed = await findRenamed(db, accounts);
  if (renamed.length > 0 && renamed.length === accounts.length) await refuseRenamed(db, accounts);
  for (const one of renamed) {
    logger.error({
      event: 'account.renamed',
      account: one.name,
      error: renamedText(one),
      fix: renamedFix(one),
    });
  }
  return names.filter((name) => !renamed.some((one) => one.name === name));
}

/** As a batch by hand says it, for those who look at its runs. */
function scopeOf(job: SyncJob, config: Config) {
  const { streams, clientIds } = resolveJob(job, config, resolveStreams(config));
  return { streams: streams.map(({ name }) => name), client_ids: clientIds ?? null };
}

/** Names, in the order of the configuration. */
export function accountsOf({ accounts }: Job, config: Config): readonly string[] {
  const names = config.accounts.map(({ name }) => name);
  return Array.isArray(accounts) ? names.filter((name) => accounts.includes(name)) : names;
}
