// airank plan: what a sync would request, without a request and without writing.
import type { Command } from 'commander';
import PQueue from 'p-queue';
import type { AccountConfig } from '../../config/config.ts';
import { ConfigError } from '../../core/errors.ts';
import type { Executor } from '../../db/database.ts';
import { loadConfiguredJobs } from '../../jobs/schedule/load-jobs.ts';
import { type JobPlan, planJobs } from '../../jobs/schedule/plan-jobs.ts';
import { type JobHistory, readJobHistories } from '../../status/job-runs.ts';
import { refuseRenamed } from '../../store/names/former-names.ts';
import { type AccountPlan, accountPlan } from '../../sync/plan/account-plan.ts';
import type { Plan } from '../../sync/plan/plan.ts';
import { factsFor } from '../../sync/plan/plan-facts.ts';
import { explainLines } from '../print/print-explain.ts';
import { planLines } from '../print/print-plan.ts';
import { planJobLines } from '../print/print-plan-jobs.ts';
import { columnsOf } from '../print/wrap.ts';
import { readSettings, type Settings, type Terminal } from '../setup/context.ts';
import { ofListedClients } from '../setup/named-clients.ts';
import { judgeFlags, readSelection, type SelectionFlags, selectionOptions } from '../setup/selection.ts';
import { lookAtWarehouse } from '../setup/use-warehouse.ts';

interface PlanFlags extends SelectionFlags {
  readonly explain?: string;
  readonly again?: true;
  readonly json?: true;
}

export function addPlanCommand(program: Command, terminal: Terminal): void {
  selectionOptions(program.command('plan'))
    .description('show what a sync would request and whether it fits today, without a request')
    .option('--again', 'count also what this run date already has')
    .option('--explain <stream>', 'say why a stream is walked as it is, or waits')
    .option('--json', 'print the plan as JSON on stdout')
    .addHelpText(
      'after',
      `
Requests come from the last walk of each slice. A slice that was never
synced counts as one request, "at least": its first sync shows how many pages it
has. Before the very first it says what each client adds: their number shows in
their list.
Without a selection the jobs of jobs/ follow: when each is due until the day's
requests renew, and how many requests it takes after the jobs due before it.

Examples:
  $ airank plan
  $ airank plan --job rank-watch
  $ airank plan --explain mediciones
  $ airank plan --json | jq '.accounts[] | {account, requests, fits, deferred}'`,
    )
    .action(async (flags: PlanFlags) => {
      checkStream(flags.explain, await judgeFlags(terminal, flags));
      const settings = readSettings(terminal, { needAccounts: true });
      const given = await readSelection(flags, settings);
      const now = new Date();
      const accounts = await lookAtWarehouse(terminal, settings, async (warehouse) => {
        const db = warehouse?.db;
        if (db !== undefined) await refuseRenamed(db, given.accounts);
        const selection = db === undefined ? given : await ofListedClients(db, given, flags);
        const jobs = await jobsOf(flags, settings, db);
        const planOne = async (account: AccountConfig): Promise<SeenPlan> => {
          const facts = await factsFor(db, settings.config, account, selection, now);
          const { summary, plan } = accountPlan(facts, settings.config, account, selection, now);
          const input = { db, config: settings.config, streams: settings.streams, account, now, ...jobs };
          return { summary: { ...summary, jobs: await planJobs(input) }, plan };
        };
        const queue = new PQueue({ concurrency: accountsAtOnce });
        return await queue.addAll(given.accounts.map((account) => () => planOne(account)));
      });
      if (flags.json) {
        const { job, runDate: run_date } = given;
        const summaries = accounts.map(({ summary, plan }) =>
          flags.explain === undefined ? summary : { ...summary, explain: sliceRows(plan, flags.explain) },
        );
        terminal.stdout.write(`${JSON.stringify({ job, run_date, accounts: summaries }, null, 2)}\n`);
        return;
      }
      const width = columnsOf(terminal.stdout);
      const blocks = accounts.map(({ summary, plan }) =>
        (flags.explain === undefined
          ? [
              ...planLines(summary, given.runDate, now, width),
              '',
              ...planJobLines(summary.jobs, summary.budget, now, width),
            ]
          : [`Account ${summary.account}`, ...explainLines(plan, flags.explain, settings.config.walks, width)]
        ).join('\n'),
      );
      terminal.stdout.write(`${settings.scrub(blocks.join('\n\n'))}\n`);
    });
}

/** A few statements each: the time goes between Node and Postgres. */
const accountsAtOnce = 8;

interface SeenPlan {
  readonly summary: AccountPlan & { readonly jobs: readonly JobPlan[] };
  readonly plan: Plan;
}

/** All of them, the one that was asked for, or none where the plan is about something else. */
async function jobsOf(flags: PlanFlags, { config, streams }: Settings, db: Executor | undefined) {
  const isOther = [flags.streams, flags.clients, flags.runDate, flags.walk, flags.again, flags.explain].some(
    (flag) => flag !== undefined,
  );
  const all = isOther ? [] : await loadConfiguredJobs(config, streams);
  const jobs = all.filter((job) => flags.job === undefined || job.name === flags.job);
  const names = jobs.map((job) => job.name);
  const histories = db === undefined ? new Map<string, JobHistory>() : await readJobHistories(db, names);
  return { jobs, histories };
}

function checkStream(name: string | undefined, { streams }: Settings): void {
  if (name === undefined || streams.some((stream) => stream.name === name)) return;
  const known = streams.map((stream) => stream.name).join(', ');
  throw new ConfigError([`Expected --explain to be one of ${known}; got "${name}"`]);
}

/** Every slice of a stream, for machines. */
function sliceRows(plan: Plan, stream: string) {
  return plan.walks.flatMap((walk, index) =>
    walk.scope.stream !== stream
      ? []
      : {
          place: index + 1,
          client_id: walk.scope.clientId,
          walk: walk.walk,
          fit: walk.done ? 'done' : walk.fit,
          requests: walk.requests,
          full_requests: walk.full,
          first_walk: walk.firstWalk,
          head: walk.verdict,
          last_run_date: walk.lastRunDate ?? null,
          last_full_walk: walk.lastFullDate ?? null,
          clean_full_walks: walk.trust?.clean ?? null,
          needed_full_walks: walk.trust?.needed ?? null,
        },
  );
}
