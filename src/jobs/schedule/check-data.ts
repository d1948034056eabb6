// The checks of the scheduler every two minutes, beside jobs that are due: how late jobs and data are, what
// is left of the budgets, and what was sent. All of it goes to the metrics; incidents go to people.
import type { Clock } from '../../core/clock.ts';
import type { Executor } from '../../db/database.ts';
import { readJobHistories, readMadeUp } from '../../status/job-runs.ts';
import { readFreshness, readRecentDrift } from '../../status/status-report.ts';
import { readBudgets } from '../../store/budget/budget-report.ts';
import { findRenamedAccounts } from '../../store/renamed-accounts.ts';
import { readOpenWrites, readWriteUses, tallyWrites } from '../../writes/store/list-writes.ts';
import type { Job } from '../define-job.ts';
import { type Findings, findDrift, findLeftOut, findOpenWrites, findStale } from './incidents.ts';
import type { Metrics } from './metrics.ts';
import { waitingSince } from './overdue.ts';
import type { CurrentSettings } from './share-settings.ts';

interface CheckDataDeps {
  readonly db: Executor;
  readonly clock: Clock;
  readonly jobs: readonly Job[];
  readonly metrics: Metrics;
}

export async function checkData(
  { db, clock, jobs, metrics }: CheckDataDeps,
  { config, streams }: CurrentSettings,
): Promise<readonly Findings[]> {
  const now = new Date(clock.now());
  const names = jobs.map((job) => job.name);
  const histories = await readJobHistories(db, names);
  for (const job of jobs) {
    const history = histories.get(job.name);
    if (history === undefined) continue;
    const since = waitingSince(job, history, now, config.timeZone);
    metrics.onLag(job.name, since === undefined ? 0 : now.getTime() - since.getTime());
    if (history.answeredUntil !== undefined) metrics.onLastSuccess(job.name, history.answeredUntil);
  }
  const accounts = config.accounts.map((account) => account.name);
  const freshness = await readFreshness(
    db,
    accounts,
    streams.map((stream) => stream.name),
  );
  metrics.onFreshness(freshness);
  const budgets = await readBudgets(db, config.accounts, config);
  metrics.onBudgets(new Map([...budgets].map(([account, { remainingToday }]) => [account, remainingToday])));
  const open = await readOpenWrites(db);
  const uses = await readWriteUses(db, accounts, config);
  metrics.onWrites({ tallies: await tallyWrites(db), open, uses });
  const madeUp = await readMadeUp(db);
  return [
    { checked: (cause) => madeUp.has(cause), incidents: [] },
    findStale(freshness, streams, jobs, now),
    findDrift(await readRecentDrift(db)),
    findOpenWrites(open),
    findLeftOut(await findRenamedAccounts(db, config, { asked: accounts, now })),
  ];
}
