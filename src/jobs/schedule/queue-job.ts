// Makes a due moment of a job into a batch of the queue, which workers take account by account. When its
// account runs have ended, it gets a result like that of a batch by hand.
import type { AccountConfig } from '../../config/config.ts';
import { isObject } from '../../core/json.ts';
import { reapAndLog } from '../../db/workers.ts';
import { enqueueBatch, enqueueLost } from '../../queue/enqueue.ts';
import { type EndedBatch, type RunPiece, readEndedBatches, settleBatch } from '../../queue/queued-batches.ts';
import { withoutRenamedAccounts } from '../../store/renamed-accounts.ts';
import { resolveStreams } from '../../streams/catalog.ts';
import { refreshAfterBatch } from '../../sync/run/run.ts';
import {
  type BatchSummary,
  batchVerdict,
  joinPieces,
  type RunSummary,
  totalsOf,
} from '../../sync/run/summary.ts';
import type { SyncDeps } from '../../sync/run/sync-options.ts';
import { isSyncJob, resolveJob } from './job-shape.ts';
import type { DueJob } from './overdue.ts';
import { type KindRun, underJobLock } from './run-job.ts';

/** Jobs with at most this many accounts begin all of them at once. */
const mostAtOnce = 20;

/** `busy`: somebody runs the job by hand, or no account of it is left for this moment. */
export async function enqueueJob(
  deps: Pick<SyncDeps, 'clock' | 'pool' | 'db' | 'config' | 'logger'>,
  { job, dueAt }: DueJob,
): Promise<'done' | 'busy'> {
  const { db, config, logger } = deps;
  // A job without a due moment that is queued already: another scheduler was faster.
  const locked = { name: job.name, unlessQueued: dueAt === undefined };
  const done = await underJobLock(deps, locked, async () => {
    const scope = isSyncJob(job) ? resolveJob(job, config, resolveStreams(config)) : undefined;
    const accounts = scope && (await accountsLeft(deps, scope.accounts));
    const batch = await enqueueBatch(db, {
      job: job.name,
      kind: job.kind ?? 'sync',
      // The same form as in a batch by hand, for those who look at its runs.
      selection: {
        job,
        ...(scope && { streams: scope.streams.map(({ name }) => name), client_ids: scope.clientIds ?? null }),
      },
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

async function accountsLeft(
  { clock, config, db, logger }: Pick<SyncDeps, 'clock' | 'db' | 'config' | 'logger'>,
  asked: readonly AccountConfig[],
): Promise<readonly string[]> {
  const now = new Date(clock.now());
  const { accounts, leftOut } = await withoutRenamedAccounts(db, config, { asked, now });
  for (const { account, text } of leftOut) {
    logger.error({ event: 'account.left_out', account, error: text });
  }
  return accounts.map(({ name }) => name);
}

type Settled =
  | { readonly kind: 'sync'; readonly summary: BatchSummary }
  | { readonly kind: 'other'; readonly run: KindRun };

/**
 * Settles batches that have ended, and takes up accounts again whose queue job was lost with its worker.
 * @param store stores the result of a batch before it is settled: a process that dies in between settles it again
 */
export async function settleBatches(
  deps: Pick<SyncDeps, 'clock' | 'config' | 'db' | 'logger' | 'pool'>,
  stop: AbortSignal,
  store: (ended: Settled) => Promise<void>,
): Promise<readonly Settled[]> {
  const { db, logger } = deps;
  await reapAndLog(db, logger);
  const lost = await enqueueLost(db);
  if (lost > 0) logger.warn({ event: 'queue.lost', accounts: lost });
  const ended = await readEndedBatches(db);
  if (ended.length === 0) return [];
  const finishedAt = new Date(deps.clock.now()).toISOString();
  // One refresh for all that ended; those of other kinds change no data.
  const views = ended.some(isSync) ? await refreshAfterBatch(deps, stop) : { drift: [], view_failures: [] };
  const settled: Settled[] = [];
  for (const batch of ended) {
    if (!isSync(batch)) {
      if (batch.status === 'stopped') {
        // Somebody has cancelled it: no incident, and not tried again.
        await settleBatch(db, batch, { status: 'stopped', summary: batch.summary });
        continue;
      }
      const run = kindRunOf(batch, finishedAt);
      await store({ kind: 'other', run });
      if (await settleBatch(db, batch, { status: run.status, summary: run.summary }))
        settled.push({ kind: 'other', run });
      continue;
    }
    const summary: BatchSummary = { ...summaryOf(batch, finishedAt), ...views };
    const { exit_code, accounts_not_started, status } = summary;
    await store({ kind: 'sync', summary });
    if (await settleBatch(db, batch, { status, summary: { exit_code, accounts_not_started, ...views } })) {
      logger.info({ event: 'batch.finished', batch_id: batch.id, job: batch.job, ...totalsOf(summary) });
      settled.push({ kind: 'sync', summary });
    }
  }
  return settled;
}

/** Goes without parsing the job: another release may have made it. */
function isSync({ selection }: EndedBatch): boolean {
  return isObject(selection) && 'accounts' in selection;
}

function summaryOf(batch: EndedBatch, finishedAt: string): Omit<BatchSummary, 'drift' | 'view_failures'> {
  const whole = batch.runs.map(({ account, pieces }) => ({ account, summary: summaryOfPieces(pieces) }));
  const accounts = whole.flatMap(({ summary }) => summary ?? []);
  const broken = whole.flatMap(({ account, summary }) => (summary === undefined ? [account] : []));
  const notStarted = [...batch.notStarted, ...broken];
  const verdict =
    batch.status === 'stopped'
      ? ({ status: 'stopped', exit_code: 1 } as const)
      : broken.length > 0
        ? ({ status: 'failed', exit_code: 1 } as const)
        : batchVerdict(accounts, notStarted);
  return {
    batch_id: batch.id,
    job: batch.job,
    run_date:
      accounts
        .map(({ run_date }) => run_date)
        .sort()
        .at(-1) ?? '',
    ...verdict,
    started_at: batch.startedAt.toISOString(),
    finished_at: finishedAt,
    accounts,
    accounts_not_started: notStarted,
  };
}

/**
 * The last run says how the account ended; it is summed up with the notes of the earlier runs that were cut
 * for it. Undefined: the last one has no summary.
 */
function summaryOfPieces(pieces: readonly RunPiece[]): RunSummary | undefined {
  const last = pieces.at(-1)?.summary;
  if (!isRunSummary(last)) return undefined;
  const whole = pieces.findLastIndex(({ status }, at) => at < pieces.length - 1 && status !== 'stopped');
  const cut = pieces.slice(whole + 1, -1).flatMap(({ summary }) => (isRunSummary(summary) ? [summary] : []));
  return joinPieces([...cut.filter(({ run_date }) => run_date === last.run_date), last], last);
}

/** Runs of a worker that died, or that broke off, have none. */
function isRunSummary(summary: unknown): summary is RunSummary {
  return isObject(summary) && 'slices' in summary;
}

/** A job whose worker died leaves its batch running. */
function kindRunOf(batch: EndedBatch, finishedAt: string): KindRun {
  const { job, summary } = batch;
  const died = 'its worker died before it ended';
  const missing = batch.status === 'complete' ? undefined : (missingOf(summary) ?? died);
  return {
    job,
    status: batch.status === 'complete' ? 'complete' : 'failed',
    missing,
    summary: summary ?? { missing },
    started_at: batch.startedAt.toISOString(),
    finished_at: finishedAt,
  };
}

function missingOf(summary: unknown): string | undefined {
  return typeof summary === 'object' &&
    summary !== null &&
    'missing' in summary &&
    typeof summary.missing === 'string'
    ? summary.missing
    : undefined;
}
