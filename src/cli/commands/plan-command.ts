// airank plan: what a sync would request, and whether it fits today; without a request and without writing.
import type { AccountConfig } from '../../config/config.ts';
import { hintOf } from '../../config/nearest-name.ts';
import { ConfigError } from '../../core/errors.ts';
import { groupBy } from '../../core/group-by.ts';
import { clockIn, count, duration, momentIn, named, plural } from '../../core/text.ts';
import { atOnce, type Executor } from '../../db/database.ts';
import { loadConfiguredJobs } from '../../jobs/schedule/load-jobs.ts';
import { type JobPlan, planJobs, takesMostOfDay } from '../../jobs/schedule/plan-jobs.ts';
import { type JobHistory, readJobHistories } from '../../status/job-runs.ts';
import {
  type AccountPlan,
  accountPlan,
  type NotKnown,
  type StreamForecast,
} from '../../sync/plan/forecast.ts';
import type { Plan, PlannedWalk } from '../../sync/plan/plan.ts';
import { factsFor } from '../../sync/plan/plan-facts.ts';
import type { IncrementalVerdict } from '../../sync/plan/slice-cost.ts';
import { readSettings, type Settings } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { type Cell, dimHead, table } from '../print/table.ts';
import { type Colors, colorsFor } from '../print/text.ts';
import {
  judgeFlags,
  ofListedClients,
  readSelection,
  type SelectionFlags,
  selectionFlags,
} from '../selection.ts';
import { readWarehouse } from '../use-warehouse.ts';

interface PlanFlags extends SelectionFlags {
  readonly explain?: string;
}

export const command = defineCommand({
  about: 'what a sync would request, and whether it fits today',
  flags: {
    ...selectionFlags,
    '--again': 'also count what this run date already has',
    '--explain <stream>': 'say how a stream is fetched or why it waits',
    '--all': 'stream by stream',
    '--json': 'print the plan as JSON on stdout',
  },
  help: `
Counts the requests of the last time. A list (a stream of one client) that was
never fetched counts as one request "or more": the first time shows its pages.
Without a selection the jobs follow: when each is due until the day's requests
renew, and how many requests it takes after the jobs due before it.

Examples:
  $ airank plan
  $ airank plan --job rank-watch
  $ airank plan --explain mediciones
  $ airank plan --json | jq '.accounts[] | {account, requests, fits, deferred}'`,
  async run({ terminal, flags, print, width }) {
    checkStream(flags.explain, await judgeFlags(terminal, flags));
    const settings = readSettings(terminal, { needAccounts: true });
    const { config, streams } = settings;
    const given = await readSelection(flags, settings);
    const now = new Date();
    const planOn = async (db: Executor | undefined): Promise<readonly SeenPlan[]> => {
      const [selection, jobs] = await Promise.all([
        db === undefined ? given : ofListedClients(db, given, flags),
        jobsOf(flags, settings, db),
      ]);
      const planOne = async (account: AccountConfig): Promise<SeenPlan> => {
        const [facts, ofJobs] = await Promise.all([
          factsFor(db, config, account, selection, now),
          planJobs({ db, config, streams, account, now, ...jobs }),
        ]);
        const { summary, plan } = accountPlan(facts, config, account, selection, now);
        return { summary: { ...summary, jobs: ofJobs }, plan };
      };
      return await Promise.all(given.accounts.map(planOne));
    };
    const seen = await readWarehouse(terminal, settings, async (warehouse) =>
      warehouse === undefined ? planOn(undefined) : atOnce(warehouse.db, planOn),
    );
    const { job, runDate: run_date } = given;
    const { explain, all = false } = flags;
    const accounts = seen.map(({ summary }) => summary);
    const colors = colorsFor(terminal.stdout, terminal.env);
    const screen = { now, width, timeZone: config.timeZone, colors, all, runDate: run_date };
    const lines =
      explain === undefined
        ? planLines(accounts, screen)
        : seen.flatMap(({ summary, plan }) => [
            `Account ${summary.account}`,
            ...explainLines(plan, explain, config),
          ]);
    print({ job, run_date, accounts }, settings.scrub(lines.join('\n').trimEnd()));
  },
});

interface WithJobs extends AccountPlan {
  readonly jobs: readonly JobPlan[];
}

interface SeenPlan {
  readonly summary: WithJobs;
  readonly plan: Plan;
}

/** Returns all jobs, the one asked for, or none if the plan is not about jobs. */
async function jobsOf(flags: PlanFlags, { config, streams }: Settings, db: Executor | undefined) {
  const { streams: names, clients, runDate, walk, again, explain } = flags;
  const isOther = [names, clients, runDate, walk, again, explain].some((flag) => flag !== undefined);
  const all = isOther ? [] : await loadConfiguredJobs(config, streams);
  const jobs = all.filter(({ name }) => flags.job === undefined || name === flags.job);
  const known = jobs.map(({ name }) => name);
  return {
    jobs,
    histories: db === undefined ? new Map<string, JobHistory>() : await readJobHistories(db, known),
  };
}

function checkStream(name: string | undefined, { streams }: Settings): void {
  const known = streams.map((stream) => stream.name);
  if (name === undefined || known.includes(name)) return;
  throw new ConfigError([
    `Expected --explain to be one of ${known.join(', ')}; got "${name}"${hintOf(name, known)}`,
  ]);
}

interface Screen {
  readonly now: Date;
  readonly width: number;
  readonly timeZone: string;
  readonly colors: Colors;
  readonly all: boolean;
  readonly runDate: string;
}

const mostNamed = 4;

export function planLines(plans: readonly WithJobs[], screen: Screen): string[] {
  const { all, width, colors } = screen;
  const several = plans.length > 1;
  return [
    ...plans.flatMap((plan) => [
      ...verdictLines(plan, several ? `${plan.account}: ` : '', screen),
      ...warnings(plan).map((text) => `${colors.yellow('!')} ${text}`),
      '',
      ...(all ? [...streamTable(plan, width), ''] : []),
    ]),
    ...jobLines(plans, screen),
    ...(plans.some(({ to_do, never_fit: never }) => to_do > never.length) ? stepLines(plans, screen) : []),
  ];
}

function verdictLines(
  plan: AccountPlan,
  whose: string,
  { now, timeZone, colors, runDate, width }: Screen,
): string[] {
  const { budget, not_known: unknown, deferred, never_fit: never, clients } = plan;
  const of = clients === null || clients.count === 0 ? '' : ` of ${plural(clients.count, 'client')}`;
  if (plan.to_do === 0) {
    return [`${colors.green('✓')} ${whose}${runDate}${of} is complete: a sync would request nothing`];
  }
  const left = `${count(budget.remaining_today)} left for jobs`;
  if (deferred + never.length === 0) {
    if (unknown !== null && clients === null) return firstSyncLines(plan, unknown, whose);
    const took = `about ${duration(Math.max(Date.parse(plan.ends_at) - now.getTime(), 1_000))}`;
    const requests = requestsText(plan.requests, plan.first_walks);
    return [
      `${colors.green('✓')} ${whose}A sync of ${runDate}${of} fits today: ${requests}, ${left}; done in ${took}${plan.first_walks > 0 ? ' or more' : ''}`,
    ];
  }
  const until = momentIn(timeZone, plan.deferred_until ?? budget.renews_at);
  const later = plan.deferred_streams;
  const today = plan.streams.flatMap(({ stream, full, incremental }) =>
    full + incremental > 0 ? [stream] : [],
  );
  const streams = (names: readonly string[]) =>
    `${plural(names.length, 'stream')}: ${named(names, mostNamed)}`;
  const rows = [
    ...(today.length === 0 ? [] : [['today', `${streams(today)}; ${requestsText(plan.requests_today, 0)}`]]),
    ...(later.length === 0 ? [] : [[`from ${until}`, streams(later)]]),
  ];
  const turn = plural(plan.all_within_days, 'day');
  return [
    `${colors.yellow('!')} ${whose}Does not fit today: ${requestsText(plan.requests, plan.first_walks)}${of}, ${left}`,
    ...(rows.length === 0 ? [] : ['', ...table(rows, { width, indent: '  ', head: false, wraps: ['1'] })]),
    ...(deferred === 0
      ? []
      : [
          `  Everything is done by about ${momentIn(timeZone, plan.all_done_at)} if it starts now; every list gets its turn within ${turn}.`,
        ]),
  ];
}

const requestsText = (requests: number, first: number) =>
  `${plural(requests, 'request')}${first > 0 ? ' or more' : ''}`;

/** Estimates a first sync as a whole: stream by stream it would be a page of ones. */
function firstSyncLines({ budget }: AccountPlan, known: NotKnown, whose: string): string[] {
  const { a_client: ofClient, a_record: ofRecord, requests } = known;
  const each = ofClient.length;
  const left = budget.remaining_today;
  const head = `${whose}The first sync takes ${plural(requests, 'request')}`;
  if (each === 0) return [`${head}, or more`, ''];
  const minutes = (clients: number) =>
    plural(Math.ceil((requests + clients * each) / budget.per_minute), 'minute');
  const details =
    ofRecord.length === 0 ? '' : ` Details (${ofRecord.join(', ')}) take one more request a record.`;
  return [
    `${head} and ${count(each)} for each client, or more`,
    '',
    `  With 5 clients that is ${minutes(5)} or more, with 200 clients ${minutes(200)}. ` +
      `With ${plural(Math.floor((left - requests) / each) + 1, 'client')} or more it continues tomorrow: ` +
      `${plural(left, 'request')} are left for jobs today.${details}`,
  ];
}

function warnings({
  refused_by: newer,
  tails_unseen: unseen,
  never_fit: never,
  jobs,
  budget,
}: WithJobs): string[] {
  const tails = [...new Set(unseen.map(({ stream }) => stream))];
  const wholeDay = budget.per_day - budget.reserved_for_people;
  const large = jobs.filter((job) => takesMostOfDay(job.requests, job.runs_a_day, wholeDay));
  return [
    ...(newer === null
      ? []
      : [
          `A sync of this run date would be refused: ${newer} is already published, and the API only shows today.`,
        ]),
    ...(tails.length === 0
      ? []
      : [
          `There is no room in any day for a full refresh of ${plural(unseen.length, 'archive')} (${named(tails, mostNamed)}) next to ` +
            'the high-priority streams, so changes beyond the first pages are not seen. airank plan --explain STREAM says more.',
        ]),
    ...never.map(
      ({ stream, client_id: client, requests }) =>
        `${stream}${client === '' ? '' : ` (client ${client})`} takes at least ${plural(requests, 'request')}, more than jobs may use in a whole day. ` +
        `It is not started, and counts as failed. Raise AIRANK_PER_DAY if the key allows more, or set streams.${stream}.enabled: false.`,
    ),
    ...large.map(
      ({ job, requests, runs_a_day: runs }) =>
        `${job} takes ${count(requests * runs)} of the ${plural(wholeDay, 'request')} that jobs may use in a day (${runs} times ${count(requests)}). ` +
        'Schedule it less often, give it fewer clients, or remove it: airank init --jobs copies the built-in jobs into a folder of your own.',
    ),
  ];
}

function streamTable({ streams, not_known: unknown }: AccountPlan, width: number): string[] {
  const requestsOf = ({ stream, requests, first_walks: first }: StreamForecast): Cell => {
    if (unknown?.a_record.includes(stream)) return 'not known';
    if (unknown?.a_client.includes(stream)) return `${requests} + 1 a client`;
    return first > 0 ? `${count(requests)} or more` : requests;
  };
  const rows = streams.map((one): Cell[] => [
    ...[one.stream, one.slices, one.done, one.full, one.incremental, one.deferred],
    ...[one.last_run_date ?? 'never', requestsOf(one)],
  ]);
  const head = ['stream', 'lists', 'done', 'full', 'incremental', 'waits', 'published', 'requests'];
  return table([head, ...rows], { width, indent: '  ', yields: ['published', 'incremental', 'full'] });
}

const waits = 'lists that wait';

/** Says when each job runs next and what it takes of the day's requests, summed over accounts. */
function jobLines(plans: readonly WithJobs[], { now, width, timeZone, colors }: Screen): string[] {
  const [first] = plans;
  if (first === undefined || first.jobs.length === 0) return [];
  const unknown = plans.some(({ not_known }) => not_known !== null);
  const isFull = plans.some(({ jobs }) => jobs.some(({ deferred }) => deferred > 0));
  const rows = first.jobs.map(({ job, next, runs }): Cell[] => {
    const those = plans.flatMap(({ jobs }) => jobs.filter((one) => one.job === job));
    const sum = (field: 'requests_today' | 'deferred') => those.reduce((total, one) => total + one[field], 0);
    const when = next === null ? 'by hand' : new Date(next) <= now ? 'due now' : clockIn(timeZone, next);
    return [job, when, runs, unknown ? 'not known' : sum('requests_today'), sum('deferred')];
  });
  const until = `jobs until ${momentIn(timeZone, first.budget.renews_at)}`;
  const shown = [[until, 'next', 'runs', 'requests', waits], ...rows].map((row) =>
    isFull ? row : row.slice(0, -1),
  );
  return [...table(shown, { width, indent: '  ', yields: [waits], paint: dimHead(colors) }), ''];
}

function stepLines(plans: readonly AccountPlan[], { timeZone, colors }: Screen): string[] {
  const waiting = plans.filter(({ deferred }) => deferred > 0);
  const until = waiting.flatMap(({ deferred_until }) => deferred_until ?? []).sort()[0];
  const isFirst = plans.some(({ first_walks: first, not_known: unknown }) => first > 0 || unknown !== null);
  const isPart = plans.some(({ never_fit: never }) => never.length > 0);
  const alone = isFirst
    ? 'shows what is left as it learns it'
    : `fetches ${isPart ? 'what fits' : 'and publishes it'}`;
  const rest = until === undefined ? undefined : clockIn(timeZone, until);
  const why = rest === undefined ? alone : `fetches what fits; run it again after ${rest} for the rest`;
  return [`    ${colors.cyan('airank sync')}    ${why}`];
}

/** Explains why slices of a stream are walked as they are, or wait. */
export function explainLines(
  plan: Plan,
  stream: string,
  settings: { readonly fullRefreshDays: number },
): string[] {
  const walks = plan.walks.filter((walk) => walk.scope.stream === stream);
  const [first] = walks;
  if (first === undefined) return [`This plan has nothing of stream ${stream}.`];
  const places = walks.map((walk) => plan.walks.indexOf(walk) + 1);
  const [least, most] = [Math.min(...places), Math.max(...places)];
  const all = plural(plan.allFull, 'request');
  return [
    `${stream}: ${plural(walks.length, 'list')}, places ${least === most ? least : `${count(least)} to ${count(most)}`} of ${count(plan.walks.length)} in the order`,
    first.stream.priority !== 'high'
      ? '  Normal priority: the list that has waited longest goes first.'
      : plan.highFirst
        ? '  High priority: fetched first every day, because the others still get their turn.'
        : `  High priority, but fetching it first every day would starve the others: the stalest goes first, and every list gets its turn within ${plural(plan.withinDays, 'day')}.`,
    plan.fullFits
      ? `  Everything in full takes ${all} and fits, so archives are refreshed in full.`
      : `  Everything in full takes ${all}, of these ${count(plan.archivesFull)} for archives, which may take ${count(plan.archivesMay)} a day: eligible archives are refreshed incrementally.`,
    ...[...groupBy(walks, (walk) => reasonOf(walk, plan, settings))].map(
      ([reason, group]) =>
        `  - ${named(
          group.map(({ scope }) => scope.clientId || 'the account itself'),
          mostNamed,
        )}: ${reason}`,
    ),
  ];
}

function reasonOf(walk: PlannedWalk, plan: Plan, settings: { readonly fullRefreshDays: number }): string {
  if (walk.done) return 'done on this run date.';
  const requests = `${walk.firstWalk ? 'at least ' : ''}${plural(walk.requests, 'request')}`;
  const one = walk.requests === 1;
  const fit = {
    now: `fits today, ${requests}.`,
    waits: `waits, ${requests} ${one ? 'does' : 'do'} not fit into what remains today; it comes first on a later day.`,
    never: `is not started, ${requests} ${one ? 'is' : 'are'} more than jobs may use in a whole day.`,
  }[walk.fit ?? 'now'];
  const since = walk.lastRunDate === undefined ? 'never published' : `last published ${walk.lastRunDate}`;
  return `${since}; ${kindText(walk, plan, settings.fullRefreshDays)}; ${fit}`;
}

function kindText(walk: PlannedWalk, { fullFits }: Plan, days: number): string {
  const { trust, lastFullDate: last, leastPages } = walk;
  const every = days === 1 ? 'day' : `${count(days)} days`;
  if (walk.walk === 'details') return 'one request for each new or changed record';
  if (walk.walk === 'incremental') {
    const rest = walk.tailUnseen
      ? `there is no room in a day for all ${plural(walk.fullPages, 'page')} next to the high-priority streams, so its later pages were last read on ${last} (raise AIRANK_PER_DAY if the key allows more)`
      : `in full every ${every}, last ${last}`;
    return `incrementally, because changes were within ${plural(Math.max(leastPages - 1, 0), 'page')} of it: at least ${plural(leastPages, 'page')}, then until a page without anything new; ${rest}`;
  }
  if (fullFits || trust === undefined) return 'in full';
  const { clean, needed, surprises } = trust;
  const since = surprises > 0 ? `, because ${surprises} of the last ones did not` : '';
  const why: Record<IncrementalVerdict, string> = {
    'no archive': 'it is no archive',
    'full demanded': 'a full refresh was asked for',
    'published today': 'the data of this run date is replaced',
    'never refreshed in full': 'there was no full refresh yet',
    'not trusted': `${plural(clean, 'full refresh')} in a row had ${clean === 1 ? 'its' : 'their'} changes on the first pages, ${needed} ${needed === 1 ? 'is' : 'are'} needed${since}`,
    'full refresh due': `the last full refresh was ${last}, and one is due every ${every}`,
    'saves nothing': 'its first pages are the whole list',
    eligible: 'it could be refreshed incrementally',
  };
  return `in full, because ${why[walk.verdict]}`;
}
