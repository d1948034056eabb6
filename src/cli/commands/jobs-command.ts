// airank jobs: lists the jobs, when each runs next and how it ran last; and runs one of them now.

import { hintOf } from '../../config/nearest-name.ts';
import { systemClock } from '../../core/clock.ts';
import { ConfigError, WarehouseError } from '../../core/errors.ts';
import type { RunDate } from '../../core/run-date.ts';
import { clockIn, duration, momentIn, named, plural } from '../../core/text.ts';
import type { Job, OtherJob, SyncJob } from '../../jobs/define-job.ts';
import { kindWork } from '../../jobs/kinds/kind-work.ts';
import { isSyncJob, resolveJob } from '../../jobs/schedule/job-shape.ts';
import { nextRun } from '../../jobs/schedule/overdue.ts';
import { runJob, runKindJob } from '../../jobs/schedule/run-job.ts';
import { type OpenBatch, readOpenBatches, readWorkers, type WorkerLine } from '../../queue/queue-report.ts';
import { cancelBatch } from '../../queue/queued-batches.ts';
import type { Period } from '../../reporting/dashboard/charts/chart.ts';
import type { Outcome } from '../../reporting/report/produce-report.ts';
import { type JobAttempt, type JobHistory, readJobHistories } from '../../status/job-runs.ts';
import { type Settings, withWarehouse } from '../context.ts';
import { type Call, defineCommand, type FlagsOf } from '../define-command.ts';
import { idOf, runDateFlag } from '../flags.ts';
import { table } from '../print/table.ts';
import { readSettingsAndJobs } from '../settings.ts';
import { say, type Terminal } from '../terminal.ts';
import { readWarehouse, useWarehouse } from '../use-warehouse.ts';
import { newCommand } from './jobs-new-command.ts';
import { outcomeLine } from './report-command.ts';
import { runAndPrint } from './sync-command.ts';
import { workerCommand } from './worker-command.ts';

interface JobView {
  readonly job: Job;
  readonly history: JobHistory | undefined;
  /** Undefined: by hand only, or never again. */
  readonly next: Date | undefined;
}

export function jobLines(
  views: readonly JobView[],
  options: { readonly timeZone: string; readonly now: Date; readonly width: number },
): string[] {
  const { timeZone, width } = options;
  return [
    ...table(
      [
        ['job', 'schedule', 'next', 'last', 'streams', 'clients', 'accounts'],
        ...views.map((view) => [
          view.job.name,
          scheduleOf(view.job),
          nextOf(view, options),
          lastOf(view.history?.lastAttempt, timeZone),
          ...scopeOf(view.job),
        ]),
      ],
      {
        width,
        wraps: ['last', 'streams', 'clients', 'accounts'],
        yields: ['accounts', 'clients', 'streams', 'schedule'],
      },
    ),
    '',
    ...views.map(({ job }) => `${job.name}: ${job.description}`),
    `Times and schedules are in ${timeZone} (AIRANK_TIMEZONE); a job may name a zone for its own.`,
  ];
}

function scheduleOf(job: Job): string {
  if (job.once === true) return 'once';
  if (job.schedule === undefined) return 'by hand';
  return job.timeZone === undefined ? job.schedule : `${job.schedule} ${job.timeZone}`;
}

function nextOf({ next }: JobView, { timeZone, now }: { timeZone: string; now: Date }): string {
  if (next === undefined) return '-';
  return next <= now ? 'due now' : clockIn(timeZone, next);
}

function lastOf(attempt: JobAttempt | undefined, timeZone: string): string {
  return attempt === undefined
    ? 'never'
    : `${attempt.status} ${clockIn(timeZone, attempt.finishedAt ?? attempt.startedAt)}`;
}

function scopeOf(job: Job): string[] {
  const { accounts = 'all' } = job;
  const clients = ('clients' in job ? job.clients : undefined) ?? 'all';
  return [
    whatOf(job),
    typeof clients === 'object' && 'matching' in clients ? clients.matching : textOf(clients),
    textOf(accounts),
  ];
}

function whatOf(job: Job): string {
  if (job.kind === 'report') return `reports, by ${job.period}`;
  if (job.kind === 'dashboard') return `the dashboard to ${job.folder}`;
  if (job.kind === 'push-logs') return `sends ${job.files.join(', ')}`;
  if (job.kind === 'backup') return `a backup to ${job.folder}`;
  const { streams = 'all' } = job;
  return typeof streams === 'object' && 'tags' in streams
    ? `tags ${streams.tags.join(', ')}`
    : textOf(streams);
}

function textOf(names: string | readonly string[]): string {
  return typeof names === 'string' ? names : names.join(', ');
}

function jobsJson(views: readonly JobView[], timeZone: string) {
  return {
    time_zone: timeZone,
    jobs: views.map(({ job, history, next }) => ({
      ...job,
      next: next?.toISOString() ?? null,
      last: attemptJson(history?.lastAttempt),
      last_success: attemptJson(history?.lastSuccess),
    })),
  };
}

function attemptJson(attempt: JobAttempt | undefined) {
  if (attempt === undefined) return null;
  const { id, status, startedAt, finishedAt, dueAt } = attempt;
  return {
    batch_id: id,
    status,
    started_at: startedAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
    due_at: dueAt?.toISOString() ?? null,
  };
}

const runFlags = {
  '--run-date <date>': 'publish under this date, YYYY-MM-DD; the job stays due',
  '--json': 'print the summary as JSON on stdout',
} as const;

const runCommand = defineCommand({
  about: 'run a job now, whether it is due or not',
  args: [['<name>', 'name of the job']],
  flags: runFlags,
  help: '\nExit codes are those of airank sync; also 1 if the job is already running.',
  run: runOne,
});

const cancelCommand = defineCommand({
  about: 'take a batch out of the queue; account runs at work end at their next page',
  args: [['<batch>', 'number of the batch, as airank jobs lists it']],
  flags: { '--json': 'print what was taken out as JSON on stdout' },
  help: '\nExample:\n  $ airank jobs cancel 17',
  run: cancelOne,
});

export const command = defineCommand({
  about: 'the jobs, when they run, and who works on them; run one now',
  flags: { '--json': 'print the jobs as JSON on stdout' },
  expected: 'airank jobs alone, or with new, run, cancel or worker',
  help: `
A job is a file in AIRANK_JOBS_DIR; without that folder the built-in jobs run.
airank schedule runs them when they are due. Below them stand the processes at
work and the open batches. A worker that waits says why; one that lost its lock
is dead, and within seconds others continue its accounts.

Examples:
  $ airank jobs
  $ airank jobs run rank-watch
  $ airank jobs new products-at-noon
  $ airank jobs cancel 17`,
  run: listJobs,
  commands: {
    new: newCommand,
    run: runCommand,
    cancel: cancelCommand,
    worker: workerCommand,
  },
});

async function cancelOne({ terminal, print }: Call, batch: string): Promise<void> {
  const id = idOf('<batch>', batch);
  await useWarehouse(terminal, undefined, {}, async ({ db }) => {
    const cancelled = await cancelBatch(db, id);
    if (cancelled === undefined) {
      const open = (await readOpenBatches(db)).map((one) => one.id).join(', ') || 'none';
      throw new ConfigError([
        `Expected the number of an open batch (${open}), got ${id}: airank jobs lists them`,
      ]);
    }
    const left = cancelled.filter((account) => account !== '');
    print(
      { batch: id, cancelled: left },
      `Batch ${id} is cancelled: ${plural(left.length, 'account')} taken out of the queue. What is published stays; ` +
        'its job runs again when it is next due; to run it now: airank jobs run',
    );
  });
}

async function listJobs({ terminal, width, print }: Call): Promise<void> {
  const { settings, jobs } = await readSettingsAndJobs(terminal, { needAccounts: false });
  const { timeZone } = settings.config;
  const known = await readWarehouse(terminal, settings, async (warehouse) => {
    if (warehouse === undefined) return undefined;
    const names = jobs.map((job) => job.name);
    const { db } = warehouse;
    return {
      histories: await readJobHistories(db, names),
      batches: await readOpenBatches(db),
      workers: await readWorkers(db),
    };
  });
  const { batches = [], workers = [] } = known ?? {};
  const now = new Date();
  const views = jobs.map((job): JobView => {
    const history = known?.histories.get(job.name);
    return { job, history, next: nextRun(job, history, now, timeZone) };
  });
  const open = batches.length === 0 ? [] : ['', ...batchLines(batches, { timeZone, now, width })];
  const working = workers.length === 0 ? [] : ['', ...workerLines(workers, { timeZone, width })];
  const lines = [...jobLines(views, { timeZone, now, width }), ...working, ...open];
  print({ ...jobsJson(views, timeZone), batches, workers }, lines);
}

const mostNamed = 3;

export function workerLines(
  workers: readonly WorkerLine[],
  { timeZone, width }: { readonly timeZone: string; readonly width: number },
): string[] {
  const rows = workers.map((worker) => [
    worker.id,
    `${worker.host} ${worker.pid}`,
    worker.kinds.length === 0 ? 'by hand' : worker.kinds.join(', '),
    worker.state,
    worker.kinds.length === 0 ? '-' : `${worker.accounts.length} of ${worker.accounts_at_once}`,
    worker.ended,
    clockIn(timeZone, worker.started_at),
    named(worker.accounts, mostNamed) || '-',
  ]);
  const waiting = workers.flatMap(({ id, waits_for: reason }) =>
    reason === null ? [] : [`Worker ${id} takes no jobs: ${reason}`],
  );
  const versions = new Set(workers.map(({ version }) => version));
  return [
    ...table([['worker', 'host, pid', 'takes', 'state', 'works on', 'ended', 'since', 'accounts'], ...rows], {
      width,
      wraps: ['accounts', 'host, pid', 'takes'],
      yields: ['since', 'ended', 'takes', 'accounts'],
    }),
    ...(waiting.length === 0 ? [] : ['', ...waiting]),
    ...(versions.size > 1
      ? [
          '',
          `${plural(versions.size, 'version')} at work: ${[...versions].join(', ')}. Update the older ones`,
        ]
      : []),
  ];
}

export function batchLines(
  batches: readonly OpenBatch[],
  { timeZone, now, width }: { readonly timeZone: string; readonly now: Date; readonly width: number },
): string[] {
  const ago = (since: Date) => duration(Math.max(now.getTime() - since.getTime(), 0));
  const rows = batches.map((batch) => [
    batch.id,
    batch.job,
    ago(batch.started_at),
    batch.waiting,
    batch.running,
    batch.deferred,
    batch.done,
    batch.failed,
    batch.slowest === null || batch.slowest_since === null
      ? '-'
      : `${batch.slowest}, ${ago(batch.slowest_since)}`,
    batch.oldest_due === null ? '-' : ago(batch.oldest_due),
  ]);
  const lines = table(
    [
      ['batch', 'job', 'for', 'waiting', 'running', 'deferred', 'done', 'failed', 'slowest', 'due for'],
      ...rows,
    ],
    { width, wraps: ['slowest', 'job'], yields: ['due for', 'slowest', 'for', 'done'] },
  );
  const deaths = batches.flatMap((batch) =>
    batch.deaths.map(({ account, deaths: count, next_attempt_at: at }) => {
      const what = account === '' ? batch.job : account;
      const again = new Date(at) > now ? `. It starts again at ${momentIn(timeZone, at)}` : '';
      return `Batch ${batch.id}, ${what}: its worker died ${count === 1 ? 'once' : `${plural(count, 'time')} in a row`}${again}`;
    }),
  );
  return [...lines, ...deaths];
}

/** Texts for a job that has done all its work. */
const doneTexts: Readonly<Record<OtherJob['kind'], string>> = {
  report: 'every report is there',
  dashboard: 'the dashboard is written',
  'push-logs': 'everything new was sent',
  backup: 'the backup is written',
};

async function runOne(
  { terminal, flags, print }: Call<FlagsOf<typeof runFlags>>,
  name: string,
): Promise<number> {
  const { settings, jobs } = await readSettingsAndJobs(terminal, { needAccounts: true });
  const job = jobs.find((one) => one.name === name);
  if (job === undefined) {
    const known = jobs.map((one) => one.name);
    throw new ConfigError([
      `Expected the name of a job (${known.join(', ')}), got "${name}"${hintOf(name, known)}`,
    ]);
  }
  const faults: string[] = [];
  if (!isSyncJob(job) && flags.runDate !== undefined) {
    faults.push(`Expected --run-date with a job that syncs, got ${name}, a ${job.kind} job`);
  }
  const runDate =
    flags.runDate === undefined
      ? undefined
      : runDateFlag(flags.runDate, settings.config.timeZone, new Date(), faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return isSyncJob(job)
    ? await runSyncJob(terminal, settings, job, { ...flags, runDate })
    : await runOther({ terminal, print }, settings, job);
}

async function runOther(
  { terminal, print }: Pick<Call, 'terminal' | 'print'>,
  settings: Settings,
  job: OtherJob,
): Promise<number> {
  const done = await withWarehouse(terminal, settings, {}, async ({ pool, db }) => {
    const onOutcome = (outcome: Outcome, period: Period, place: { done: number; of: number }) =>
      say(terminal, outcomeLine(outcome, period, place));
    const work = kindWork({ ...settings, pool, db, env: terminal.env, onOutcome });
    return await runKindJob({ pool, db, clock: systemClock }, { job, work, signal: terminal.signal });
  });
  if (done === undefined) throw runsAlready(job.name);
  const { missing, summary, ...rest } = done;
  print(
    { ...rest, missing: missing ?? null, summary },
    settings.scrub(`Job ${job.name}: ${missing ?? doneTexts[job.kind]}`),
  );
  return missing === undefined ? 0 : 1;
}

function runsAlready(name: string): WarehouseError {
  return new WarehouseError(
    `The job ${name} is already running, here or on another machine. airank jobs shows where`,
  );
}

async function runSyncJob(
  terminal: Terminal,
  settings: Settings,
  job: SyncJob,
  flags: { readonly json?: true; readonly runDate: RunDate | undefined },
): Promise<number> {
  const { streams } = settings;
  const options = { job, streams, runDate: flags.runDate, signal: terminal.signal };
  const { accounts } = resolveJob(job, settings.config, streams);
  const exitCode = await runAndPrint(terminal, settings, { ...flags, accounts }, (deps) =>
    runJob(deps, options),
  );
  if (exitCode === undefined) throw runsAlready(job.name);
  return exitCode;
}
