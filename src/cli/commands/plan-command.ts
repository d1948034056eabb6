// airank plan: what a sync would request, without a request and without writing.

import type { AccountConfig } from '../../config/config.ts';
import { ConfigError } from '../../core/errors.ts';
import { groupBy } from '../../core/group-by.ts';
import { count, plural } from '../../core/text.ts';
import { atOnce, type Executor } from '../../db/database.ts';
import { loadConfiguredJobs } from '../../jobs/schedule/load-jobs.ts';
import { type JobPlan, planJobs } from '../../jobs/schedule/plan-jobs.ts';
import { type JobHistory, readJobHistories } from '../../status/job-runs.ts';
import { type AccountPlan, accountPlan } from '../../sync/plan/forecast.ts';
import type { Plan, PlannedWalk } from '../../sync/plan/plan.ts';
import { factsFor } from '../../sync/plan/plan-facts.ts';
import type { IncrementalVerdict } from '../../sync/plan/slice-cost.ts';
import { readSettings, type Settings } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { wrap } from '../print/words.ts';
import {
  judgeFlags,
  ofListedClients,
  readSelection,
  type SelectionFlags,
  selectionFlags,
} from '../selection.ts';
import { readWarehouse } from '../use-warehouse.ts';
import { firstSyncLines, isFirst, planJobLines, planLines } from './plan-text.ts';

interface ExplainSettings {
  readonly fullRefreshDays: number;
}

const mostNamed = 5;

/** Explains for airank plan --explain why slices of a stream are walked as they are, or wait. */
export function explainLines(plan: Plan, stream: string, settings: ExplainSettings, width: number): string[] {
  const walks = plan.walks.filter((walk) => walk.scope.stream === stream);
  const [first] = walks;
  if (first === undefined) return [`No slice of ${stream} is in this plan.`];
  const groups = [...groupBy(walks, (walk) => reasonOf(walk, plan, settings))];
  const lines = [
    `${stream}: ${plural(walks.length, 'slice')}, places ${placesOf(plan, walks)} of ${count(plan.walks.length)} in the order`,
    ...wrap(orderText(plan, first), width, '  '),
    ...wrap(budgetText(plan), width, '  '),
  ];
  for (const [reason, group] of groups) {
    const named = group.slice(0, mostNamed).map(({ scope }) => scope.clientId || 'the account itself');
    const more = group.length > mostNamed ? ` and ${count(group.length - mostNamed)} more` : '';
    lines.push(...wrap(`${named.join(', ')}${more}: ${reason}`, width, '  - '));
  }
  return lines;
}

function placesOf(plan: Plan, walks: readonly PlannedWalk[]): string {
  const places = walks.map((walk) => plan.walks.indexOf(walk) + 1);
  const [least, most] = [Math.min(...places), Math.max(...places)];
  return least === most ? String(least) : `${count(least)} to ${count(most)}`;
}

function orderText(plan: Plan, walk: PlannedWalk): string {
  if (walk.stream.priority === 'high') {
    return plan.highFirst
      ? 'High priority: walked first every day, because the others still get their turn.'
      : `High priority, but walking it first every day would starve the others: the stalest goes first, and every slice gets its turn within ${plural(plan.withinDays, 'day')}.`;
  }
  return 'Normal priority: the slice that has waited longest goes first.';
}

function budgetText(plan: Plan): string {
  const all = plural(plan.allFull, 'request');
  return plan.fullFits
    ? `Everything in full takes ${all} and fits, so archives are refreshed in full.`
    : `Everything in full takes ${all}, of these ${count(plan.archivesFull)} for archives, which may take ${count(plan.archivesMay)} a day: eligible archives are refreshed incrementally.`;
}

function reasonOf(walk: PlannedWalk, plan: Plan, settings: ExplainSettings): string {
  if (walk.done) return 'done on this run date.';
  const requests = `${walk.firstWalk ? 'at least ' : ''}${plural(walk.requests, 'request')}`;
  const one = walk.requests === 1;
  const fit = {
    now: `fits today, ${requests}.`,
    waits: `waits, ${requests} ${one ? 'does' : 'do'} not fit into what remains today; it comes first on a later day.`,
    never: `is not begun, ${requests} ${one ? 'is' : 'are'} more than a whole day's.`,
  }[walk.fit ?? 'now'];
  const since = walk.lastRunDate === undefined ? 'never published' : `last published ${walk.lastRunDate}`;
  return `${since}; ${kindText(walk, plan, settings)}; ${fit}`;
}

function kindText(walk: PlannedWalk, plan: Plan, settings: ExplainSettings): string {
  const { trust } = walk;
  if (walk.walk === 'details') return 'one request for each new or changed record';
  if (walk.walk === 'incremental') {
    return (
      `incrementally, because changes were within ${plural(Math.max(walk.leastPages - 1, 0), 'page')} of it: at least ${plural(walk.leastPages, 'page')}, ` +
      'then until a page without anything new; ' +
      (walk.tailUnseen
        ? `all ${plural(walk.fullPages, 'page')} have no room in a day beside the streams of high priority, so its tail is not seen since ${walk.lastFullDate} (raise AIRANK_PER_DAY if the key allows more)`
        : `in full every ${daysText(settings.fullRefreshDays)}, last ${walk.lastFullDate}`)
    );
  }
  if (plan.fullFits || trust === undefined) return 'in full';
  const why: Record<IncrementalVerdict, string> = {
    'no archive': 'it is no archive',
    'full demanded': 'a full refresh was asked for',
    'published today': 'the data of this run date is replaced',
    'never refreshed in full': 'there was no full refresh yet',
    'not trusted': `${plural(trust.clean, 'full refresh')} in a row had ${trust.clean === 1 ? 'its' : 'their'} changes on the first pages, ${trust.needed} ${trust.needed === 1 ? 'is' : 'are'} needed${trust.surprises > 0 ? ` since ${trust.surprises} of the last ones had not` : ''}`,
    'full refresh due': `the last full refresh was ${walk.lastFullDate}, and one is due every ${daysText(settings.fullRefreshDays)}`,
    'saves nothing': 'its first pages are the whole list',
    eligible: 'it could be refreshed incrementally',
  };
  return `in full, because ${why[walk.verdict]}`;
}

function daysText(days: number): string {
  return days === 1 ? 'day' : `${count(days)} days`;
}

interface PlanFlags extends SelectionFlags {
  readonly explain?: string;
  readonly again?: true;
  readonly all?: true;
  readonly json?: true;
}

export const command = defineCommand({
  about: 'what a sync would request, and whether it fits today',
  flags: {
    ...selectionFlags,
    '--again': 'count also what this run date already has',
    '--explain <stream>': 'say why a stream is walked as it is, or waits',
    '--all': 'stream by stream before the first sync too',
    '--json': 'print the plan as JSON on stdout',
  },
  help: `
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
  async run({ terminal, flags, print, width }) {
    checkStream(flags.explain, await judgeFlags(terminal, flags));
    const settings = readSettings(terminal, { needAccounts: true });
    const given = await readSelection(flags, settings);
    const now = new Date();
    const accounts = await readWarehouse(terminal, settings, async (warehouse) => {
      const planOn = async (db: Executor | undefined): Promise<readonly SeenPlan[]> => {
        const [selection, jobs] = await Promise.all([
          db === undefined ? given : ofListedClients(db, given, flags),
          jobsOf(flags, settings, db),
        ]);
        const planOne = async (account: AccountConfig): Promise<SeenPlan> => {
          const input = { db, config: settings.config, streams: settings.streams, account, now, ...jobs };
          const [facts, ofJobs] = await Promise.all([
            factsFor(db, settings.config, account, selection, now),
            planJobs(input),
          ]);
          const { summary, plan } = accountPlan(facts, settings.config, account, selection, now);
          return { summary: { ...summary, jobs: ofJobs }, plan };
        };
        return await Promise.all(given.accounts.map(planOne));
      };
      return await (warehouse === undefined ? planOn(undefined) : atOnce(warehouse.db, planOn));
    });
    const { job, runDate: run_date } = given;
    const summaries = accounts.map(({ summary, plan }) =>
      flags.explain === undefined ? summary : { ...summary, explain: sliceRows(plan, flags.explain) },
    );
    const blocks = accounts.map(({ summary, plan }) =>
      (flags.explain === undefined && flags.all !== true && isFirst(summary)
        ? firstSyncLines(summary, width)
        : flags.explain === undefined
          ? [
              ...planLines(summary, given.runDate, now, width),
              '',
              ...planJobLines(summary.jobs, summary.budget, now, width),
            ]
          : [`Account ${summary.account}`, ...explainLines(plan, flags.explain, settings.config, width)]
      ).join('\n'),
    );
    print({ job, run_date, accounts: summaries }, settings.scrub(blocks.join('\n\n')));
  },
});

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
          incremental: walk.verdict,
          last_run_date: walk.lastRunDate ?? null,
          last_full_refresh: walk.lastFullDate ?? null,
          clean_full_refreshes: walk.trust?.clean ?? null,
          needed_full_refreshes: walk.trust?.needed ?? null,
        },
  );
}
