// The text of `airank plan`: of a sync, and of the jobs of a day.
import { count, duration, moment, plural, stamp } from '../../core/text.ts';
import { type JobPlan, takesMostOfDay } from '../../jobs/schedule/plan-jobs.ts';
import type { AccountPlan, NotKnown, StreamForecast } from '../../sync/plan/forecast.ts';
import { type Cell, table } from '../print/table.ts';
import { wrap } from '../print/words.ts';

const mostNamed = 8;

/** Renders a plan for people: what is left to do by stream, and how far today's budget carries it. */
export function planLines(plan: AccountPlan, runDate: string, now: Date, width: number): string[] {
  const prose = (text: string) => wrap(text, width);
  return [
    `Account ${plan.account}, run date ${runDate}`,
    '',
    ...table(
      [
        ['stream', 'slices', 'done', 'full', 'incremental', 'later', 'last published', 'requests'],
        ...plan.streams.map((stream) => streamRow(stream, plan.not_known)),
        totalRow(plan),
      ],
      { width, yields: ['last published', 'incremental', 'full'] },
    ),
    '',
    ...(plan.refused_by === null
      ? []
      : prose(
          `! A sync refuses this run date: ${plan.refused_by} is published, and the API shows today only.`,
        )),
    ...prose(clientsText(plan)),
    ...prose(budgetText(plan)),
    ...prose(fitText(plan, now)),
    ...(plan.incremental === 0 ? [] : prose(incrementalText(plan))),
    ...tailLines(plan, width),
    ...neverLines(plan, width),
  ];
}

/** Nothing of the account is known yet, not even its clients. */
export const isFirst = ({ clients, not_known: notKnown }: AccountPlan) =>
  clients === null && notKnown !== null;

const examples = [5, 200] as const;

/** Estimates a first sync as a whole: stream by stream it would be a page of ones. */
export function firstSyncLines(plan: AccountPlan, width: number): string[] {
  const { budget, not_known: known } = plan;
  if (known === null) return [];
  const { length: each } = known.a_client;
  const left = budget.remaining_today;
  const times = examples.map((clients) => {
    const minutes = Math.ceil((known.requests + clients * each) / budget.per_minute);
    return `${plural(clients, 'client')} take ${plural(minutes, 'minute')} or more`;
  });
  const most = Math.floor((left - known.requests) / Math.max(each, 1));
  const details =
    known.a_record.length === 0
      ? ''
      : ` A request for each record that lists name comes on top (${known.a_record.join(', ')}).`;
  const text =
    each === 0
      ? ''
      : `At ${plural(budget.per_minute, 'request')} a minute, ${times.join(', ')}. From ${plural(most, 'client')} on it goes on ` +
        `tomorrow: ${plural(left, 'request')} are left for jobs today.`;
  return [
    ...wrap(
      `The first sync of account ${plan.account} takes ${plural(known.requests, 'request')}${each === 0 ? '' : ` and ${count(each)} for each client`}, or more.`,
      width,
    ),
    '',
    ...wrap(`${text}${details}`, width, '  '),
    '',
    '    airank sync          shows what is left as it learns it',
    '    airank plan --all    stream by stream, and the jobs',
  ];
}

function streamRow(stream: StreamForecast, notKnown: NotKnown | null): Cell[] {
  const { slices, done, full, incremental, deferred, last_run_date: last } = stream;
  const more = notKnown?.a_client.includes(stream.stream) === true ? ' + 1 a client' : '';
  const isUnknown = notKnown?.a_record.includes(stream.stream) === true;
  return [
    stream.stream,
    slices,
    done,
    full,
    incremental,
    deferred,
    last ?? 'never',
    isUnknown
      ? 'not known'
      : more === ''
        ? requestsCell(stream, done === slices)
        : `${stream.requests}${more}`,
  ];
}

function requestsCell(part: { requests: number; first_walks: number }, nothing: boolean): Cell {
  if (nothing) return 'nothing to do';
  return part.first_walks > 0 ? `at least ${count(part.requests)}` : part.requests;
}

function totalRow(plan: AccountPlan): Cell[] {
  const later = plan.deferred + plan.never_fit.length;
  const full = plan.fits - plan.incremental;
  return [
    'total',
    plan.slices,
    plan.slices - plan.to_do,
    full,
    plan.incremental,
    later,
    '',
    plan.not_known === null ? requestsCell(plan, plan.to_do === 0) : knownText(plan.not_known),
  ];
}

/** `35 + 5 a client`. */
function knownText({ requests, a_client: { length } }: NotKnown): string {
  if (length === 0) return `at least ${count(requests)}`;
  return `${requests === 0 ? '' : `${count(requests)} + `}${count(length)} a client`;
}

function clientsText(plan: AccountPlan): string {
  const { clients } = plan;
  if (clients === null) {
    return 'Clients: not known yet. The first walk of clientes finds them.';
  }
  const since = clients.run_date === null ? '' : `, as of ${clients.run_date}`;
  return `Clients: ${count(clients.count)}${since}.`;
}

function budgetText({ budget }: AccountPlan): string {
  const closed =
    budget.closed_until === null ? '' : ` The server closed the key until ${moment(budget.closed_until)}.`;
  return (
    `Budget today: ${count(budget.used_today)} of ${count(budget.per_day)} used, ${count(budget.remaining_today)} remaining for jobs ` +
    `(${count(budget.reserved_for_people)} reserved for people); renews ${moment(budget.renews_at)}.${closed}`
  );
}

function incrementalText(plan: AccountPlan): string {
  return (
    `${plural(plan.incremental, 'archive')} refreshed incrementally, which saves ${plural(plan.saved, 'request')}; ` +
    'airank plan --explain STREAM says why, --walk full walks every page.'
  );
}

function tailLines({ tails_unseen: tails }: AccountPlan, width: number): string[] {
  if (tails.length === 0) return [];
  const streams = named([...new Set(tails.map(({ stream }) => stream))]);
  return wrap(
    `! No day has room for a full refresh of ${plural(tails.length, 'archive')} (${streams}) beside the streams of high priority: ` +
      'what changes beyond the first pages is not seen. airank plan --explain STREAM says more.',
    width,
  );
}

function neverLines(plan: AccountPlan, width: number): string[] {
  return plan.never_fit.flatMap(({ stream, client_id: client, requests }) =>
    wrap(
      `! ${stream}${client === '' ? '' : ` (client ${client})`} takes at least ${plural(requests, 'request')}, more than jobs have on a whole day. ` +
        `It is not begun, and counts as failed. Raise AIRANK_PER_DAY if the key allows more, or set streams.${stream}.enabled: false.`,
      width,
    ),
  );
}

function named(streams: readonly string[]): string {
  if (streams.length === 0) return 'none';
  const shown = streams.slice(0, mostNamed);
  const hidden = streams.length - shown.length;
  return `${shown.join(', ')}${hidden === 0 ? '' : ` and ${plural(hidden, 'more stream')}`}`;
}

function fitText(plan: AccountPlan, now: Date): string {
  if (plan.to_do === 0) return 'Nothing to do: every slice of this run date is complete.';
  const all = plan.deferred === 0 && plan.never_fit.length === 0;
  if (plan.not_known !== null && all) return notKnownText(plan.not_known);
  const fits = all
    ? `${plural(plan.to_do, 'slice')} to walk, ${plan.to_do === 1 ? 'it fits' : 'all of them fit'}.`
    : `${plural(plan.fits, 'slice')} of ${count(plan.to_do)} ${plan.fits === 1 ? 'fits' : 'fit'}, ${count(plan.deferred)} ${plan.deferred === 1 ? 'waits' : 'wait'} until ` +
      `${moment(plan.deferred_until ?? plan.budget.renews_at)}: ${named(plan.deferred_streams)}.` +
      ` Every slice gets its turn within ${plural(plan.all_within_days, 'day')}.`;
  return [fits, timeText(plan, now), firstLoadText(plan)].filter((text) => text !== '').join(' ');
}

/** Names what the figures leave out: before a first sync they would be of the smaller part. */
function notKnownText({ requests, a_client: lists, a_record: details }: NotKnown): string {
  const each =
    lists.length === 0
      ? ''
      : ` Then ${plural(lists.length, 'request')} or more for each client, whose number is not known yet.`;
  const more =
    details.length === 0
      ? ''
      : ` On top comes a request for each record that the lists name (${details.join(', ')}), not known either.`;
  return (
    `${plural(requests, 'request')} or more for the account and its list of clients, which fit today.${each}${more}` +
    ' airank sync shows what is left as it learns it, and so does this command while it works.'
  );
}

/** Estimates the time, with waits for the limit of a minute and for the day. */
function timeText(plan: AccountPlan, now: Date): string {
  if (plan.requests_today === 0) return '';
  const known = plan.first_walks > 0 ? 'known ' : '';
  const tookMs = Date.parse(plan.ends_at) - now.getTime();
  const took = tookMs < 60_000 ? 'less than a minute' : `about ${duration(tookMs)}`;
  const today =
    `The ${known}${plural(plan.requests_today, 'request')} ${plan.deferred > 0 ? 'of today ' : ''}` +
    `${plan.requests_today === 1 ? 'takes' : 'take'} ${took} at ${count(plan.budget.per_minute)} a minute`;
  if (plan.deferred === 0) return `${today}.`;
  return `${today}, the last of all comes at about ${moment(plan.all_done_at)}.`;
}

const partNames = {
  clients: 'the list of clients',
  records: 'the lists',
  details: 'single records that the lists name',
} as const;

/** Warns that a first load may take more: a slice that was never synced has not told its size. */
function firstLoadText({ first_walks: some, parts }: AccountPlan): string {
  if (some === 0) return '';
  const texts = parts.map(
    ({ phase, requests, at_least: isLeast }) =>
      `${partNames[phase]} (${isLeast ? 'at least ' : ''}${count(requests)})`,
  );
  return (
    `${plural(some, 'first walk')} may need more than that, and so longer: ${texts.join(', then ')}. ` +
    'Each says how large the next is; airank sync shows what is left, and so does this command while it works.'
  );
}

interface JobsBudget {
  readonly per_day: number;
  readonly reserved_for_people: number;
  readonly remaining_today: number;
  readonly renews_at: string;
}

/** Renders when each job runs next, and how jobs share the rest of the day's requests. */
export function planJobLines(
  jobs: readonly JobPlan[],
  budget: JobsBudget,
  now: Date,
  width: number,
): string[] {
  if (jobs.length === 0) return [];
  return [
    ...wrap(`Jobs until ${moment(budget.renews_at)}, when the day's requests renew`, width),
    ...table(
      [
        ['job', 'next, UTC', 'runs', 'slices', 'a run takes', 'today', 'waits'],
        ...jobs.map((job) => jobRow(job, now)),
      ],
      { width, indent: '  ', wraps: ['a run takes'], yields: ['slices', 'runs'] },
    ),
    ...wrap(`${verdict(jobs, budget)} airank plan --job NAME shows the streams of one.`, width, '  '),
    ...jobs.flatMap((job) => {
      const large = largeJobText(job, budget.per_day - budget.reserved_for_people);
      return large === undefined ? [] : wrap(`${large.text}. ${large.fix}`, width, '! ');
    }),
  ];
}

/** Says that a job leaves the others too little of each day, and what to do; undefined if it does not. */
export function largeJobText(
  { job, requests, runs_a_day: runs }: JobPlan,
  wholeDay: number,
): { readonly text: string; readonly fix: string } | undefined {
  if (!takesMostOfDay(requests, runs, wholeDay)) return undefined;
  return {
    text: `${job} takes ${count(requests * runs)} of the ${plural(wholeDay, 'request')} that jobs have on a day, ${count(requests)} each of ${runs} times`,
    fix: 'Give it fewer moments or clients, or leave it out: airank init --jobs writes the jobs that come along into a folder of yours.',
  };
}

function verdict(jobs: readonly JobPlan[], { remaining_today: left }: JobsBudget): string {
  const due = jobs.filter(({ runs }) => runs > 0);
  if (due.length === 0) return 'No job is due until then.';
  if (due.some((job) => job.not_known !== null))
    return `How many of the ${plural(left, 'request')} remaining for jobs they take is known after the first sync.`;
  const today = due.reduce((sum, job) => sum + job.requests_today, 0);
  const waiting = due.reduce((sum, job) => sum + job.deferred, 0);
  const waits = `${plural(waiting, 'slice')} ${waiting === 1 ? 'does' : 'do'} not fit and ${waiting === 1 ? 'comes' : 'come'} first on the next day.`;
  if (waiting > 0 && today === 0) return `No requests of the day remain for them: ${waits}`;
  const least = due.some((job) => job.first_walks > 0) ? 'at least ' : '';
  return (
    `They take ${least}${count(today)} of the ${plural(left, 'request')} remaining for jobs; ${count(Math.max(left - today, 0))} stay free.` +
    (waiting > 0 ? ` ${waits}` : '')
  );
}

function jobRow(job: JobPlan, now: Date): Cell[] {
  const next = job.next === null ? 'by hand' : new Date(job.next) <= now ? 'due now' : stamp(job.next);
  const takes =
    job.not_known !== null
      ? knownText(job.not_known)
      : job.slices === 0
        ? 'nothing'
        : `${job.first_walks > 0 ? 'at least ' : ''}${count(job.requests)}`;
  const today = job.not_known === null ? job.requests_today : 'not known';
  return [job.job, next, job.runs, job.slices, takes, today, job.deferred];
}
