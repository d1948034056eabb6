// airank jobs: what there is to run, when it runs next, how it ran last; and one of them now.
import type { Command } from 'commander';
import { systemClock } from '../../core/clock.ts';
import { ConfigError, WarehouseError } from '../../core/errors.ts';
import type { Period } from '../../dashboard/charts/chart.ts';
import type { Outcome } from '../../report/produce-report.ts';
import type { ReportJob, SyncJob } from '../../schedule/define-job.ts';
import { nextRun } from '../../schedule/overdue.ts';
import { runJob } from '../../schedule/run-job.ts';
import { runKind } from '../../schedule/run-kind.ts';
import { readJobHistories } from '../../warehouse/reports/job-runs.ts';
import { type JobView, jobLines, jobsJson } from '../print/print-jobs.ts';
import { outcomeLine } from '../print/print-reports.ts';
import { summaryLines } from '../print/print-summary.ts';
import { createProgress } from '../print/progress.ts';
import { columnsOf } from '../print/wrap.ts';
import { alertAfterSync } from '../setup/alerts-after-sync.ts';
import { type Settings, type Terminal, withWarehouse } from '../setup/context.ts';
import { lookAtViews } from '../setup/look-at-views.ts';
import { lookAtWarehouse } from '../setup/look-at-warehouse.ts';
import { reportKind } from '../setup/report-kind.ts';
import { readSettingsAndJobs } from '../setup/settings-and-jobs.ts';

export function addJobsCommand(program: Command, terminal: Terminal, end: (exitCode: number) => void): void {
  const jobs = program
    .command('jobs')
    .description('list the jobs with their next and last runs; run one now')
    // Otherwise a misspelt subcommand is reported as an argument too many.
    .allowExcessArguments()
    .option('--json', 'print the jobs as JSON on stdout')
    .addHelpText(
      'after',
      `
A job is a file of jobs/ (or of AIRANK_JOBS_DIR). airank schedule runs them when
they are due.

Examples:
  $ airank jobs
  $ airank jobs run rank-watch`,
    )
    .action(async (flags: { json?: true }, command: Command) => {
      const [other] = command.args;
      if (other !== undefined) {
        throw new ConfigError([`Expected airank jobs, or airank jobs run <name>, got airank jobs ${other}`]);
      }
      await listJobs(terminal, flags);
    });
  jobs
    .command('run')
    .argument('<name>', 'name of the job')
    .description('run a job now, whenever it is due')
    .option('--json', 'print the summary as JSON on stdout')
    .addHelpText('after', '\nExit codes are those of airank sync; 1 as well where the job runs already.')
    .action(async (name: string, _: unknown, command: Command) => {
      const flags: { json?: true } = command.optsWithGlobals();
      end(await runOne(terminal, name, flags));
    });
}

async function listJobs(terminal: Terminal, flags: { json?: true }): Promise<void> {
  const { settings, jobs } = await readSettingsAndJobs(terminal, { needAccounts: false });
  const { timeZone } = settings.config;
  const histories = await lookAtWarehouse(terminal, settings, async (warehouse) =>
    warehouse === undefined || warehouse.pending.length > 0
      ? undefined
      : await readJobHistories(
          warehouse.db,
          jobs.map((job) => job.name),
        ),
  );
  const now = new Date();
  const views = jobs.map((job): JobView => {
    const history = histories?.get(job.name);
    return { job, history, next: nextRun(job, history, now, timeZone) };
  });
  terminal.stdout.write(
    flags.json
      ? `${JSON.stringify(jobsJson(views, timeZone), null, 2)}\n`
      : `${jobLines(views, { timeZone, now, width: columnsOf(terminal.stdout) }).join('\n')}\n`,
  );
}

async function runOne(terminal: Terminal, name: string, flags: { json?: true }): Promise<number> {
  const { settings, jobs } = await readSettingsAndJobs(terminal, { needAccounts: true });
  const job = jobs.find((one) => one.name === name);
  if (job === undefined) {
    const known = jobs.map((one) => one.name).join(', ');
    throw new ConfigError([`Expected the name of a job (${known}), got "${name}"`]);
  }
  return job.kind === 'report'
    ? await runReports(terminal, settings, job, flags)
    : await runSyncJob(terminal, settings, job, flags);
}

async function runReports(
  terminal: Terminal,
  settings: Settings,
  job: ReportJob,
  flags: { json?: true },
): Promise<number> {
  const done = await withWarehouse(terminal, settings, { locks: true }, async ({ pool, db, url }) => {
    const onOutcome = (outcome: Outcome, period: Period, place: { done: number; of: number }) =>
      terminal.stderr.write(`${outcomeLine(outcome, period, place)}\n`);
    const kinds = reportKind({ settings, warehouseUrl: url, db, env: terminal.env, onOutcome });
    return await runKind(
      { pool, db, clock: systemClock },
      { job, kinds, dueAt: undefined, signal: terminal.signal },
    );
  });
  if (done === undefined) throw runsAlready(job.name);
  const { missing, summary, ...rest } = done;
  if (flags.json) {
    terminal.stdout.write(`${JSON.stringify({ ...rest, missing: missing ?? null, summary }, null, 2)}\n`);
  } else {
    terminal.stdout.write(`${settings.scrub(`Job ${job.name}: ${missing ?? 'every report is there'}`)}\n`);
  }
  return missing === undefined ? 0 : 1;
}

function runsAlready(name: string): WarehouseError {
  return new WarehouseError(
    `The job ${name} runs already, here or elsewhere. airank status shows how far it is`,
  );
}

async function runSyncJob(
  terminal: Terminal,
  settings: Settings,
  job: SyncJob,
  flags: { json?: true },
): Promise<number> {
  const { signal } = terminal;
  const { summary, views } = await withWarehouse(
    terminal,
    settings,
    { locks: true },
    async ({ pool, db, ledger }) => {
      const progress = createProgress(terminal.stderr);
      try {
        const { config, logger, streams } = settings;
        const deps = { config, pool, db, ledger, clock: systemClock, logger, emit: progress.listen };
        const summary = await runJob(deps, { job, streams, dueAt: undefined, signal, stop: signal });
        if (summary !== undefined) await alertAfterSync(terminal, settings, { db, pool });
        return { summary, views: await lookAtViews(db, { logger, signal }) };
      } finally {
        progress.stop();
      }
    },
  );
  if (summary === undefined) throw runsAlready(job.name);
  terminal.stdout.write(
    flags.json
      ? `${JSON.stringify({ ...summary, views }, null, 2)}\n`
      : `${settings.scrub(summaryLines(summary, views, columnsOf(terminal.stdout)).join('\n'))}\n`,
  );
  return summary.exit_code;
}
