// The requests that jobs will make until the day's requests renew, run by run in the order in which they are
// due, each with what those before it leave. Reads only.

import type { AccountConfig, Config } from '../../config/config.ts';
import { dayMs, type RunDate, runDateIn } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import type { JobHistory } from '../../status/job-runs.ts';
import { freshBudget, readBudget } from '../../store/budget/budget-report.ts';
import type { SliceState } from '../../store/slices/walk-history.ts';
import type { Stream } from '../../streams/stream.ts';
import { type NotKnown, notKnown, planFigures, type StreamForecast } from '../../sync/plan/forecast.ts';
import { type Plan, scopeKey } from '../../sync/plan/plan.ts';
import { factsFor, type PlanFacts, type PlanQuestion, planFrom } from '../../sync/plan/plan-facts.ts';
import type { Job, SyncJob } from '../define-job.ts';
import { nextDue, parseCron } from './cron.ts';
import { isSyncJob, resolveJob } from './job-shape.ts';
import { nextRun, zoneOf } from './overdue.ts';

export interface JobPlan {
  readonly job: string;
  /** When it runs next; null: by hand only, or never again. */
  readonly next: string | null;
  readonly runs: number;
  readonly slices: number;
  readonly requests: number;
  readonly first_walks: number;
  /** The part that `requests` leaves out before a first sync; null: the clients are known. */
  readonly not_known: NotKnown | null;
  /** Requests of all its runs that fit until then, after the jobs that are due before it. */
  readonly requests_today: number;
  readonly runs_a_day: number;
  /** Slices that do not fit, of the run that misses most. */
  readonly deferred: number;
  readonly streams: readonly StreamForecast[];
}

interface JobsInput {
  readonly db: Executor | undefined;
  readonly config: Config;
  readonly account: AccountConfig;
  readonly streams: readonly Stream[];
  readonly jobs: readonly Job[];
  readonly histories: ReadonlyMap<string, JobHistory>;
  readonly now: Date;
}

interface DueRun {
  readonly job: SyncJob;
  readonly at: Date;
}

export async function planJobs(input: JobsInput): Promise<JobPlan[]> {
  const { db, account, jobs, config, now, histories } = input;
  // Jobs of other kinds request nothing.
  const mine = jobs
    .filter(isSyncJob)
    .filter((job) => resolveJob(job, config, input.streams).accounts.includes(account));
  if (mine.length === 0) return [];
  const today = createDay(input);
  const budget = db === undefined ? freshBudget(account, config, now) : await readBudget(db, account, config);
  const next = new Map(
    mine.map((job) => [job.name, nextRun(job, histories.get(job.name), now, config.timeZone)]),
  );
  const runs = mine
    .flatMap((job) => dueUntil(job, next.get(job.name), budget.renewsAt, config.timeZone))
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  await Promise.all([
    ...runs.map(({ job, at }) => today.facts(job, at)),
    ...mine.map((job) => today.facts(job, next.get(job.name) ?? now)),
  ]);
  const plans = new Map<string, Plan[]>();
  for (const run of runs) {
    const plan = await today.spend(run);
    plans.set(run.job.name, [...(plans.get(run.job.name) ?? []), plan]);
  }
  const found: JobPlan[] = [];
  for (const job of mine) {
    const due = next.get(job.name);
    const made = plans.get(job.name) ?? [];
    const first = made[0] ?? (await today.alone({ job, at: due ?? now }));
    const figures = planFigures(first);
    const { clientIds } = await today.facts(job, due ?? now);
    found.push({
      job: job.name,
      next: due?.toISOString() ?? null,
      runs: made.length,
      slices: figures.to_do,
      requests: figures.requests,
      first_walks: figures.first_walks,
      not_known: notKnown(figures, resolveJob(job, config, input.streams), clientIds),
      requests_today: made.reduce((sum, plan) => sum + planFigures(plan).requests_today, 0),
      runs_a_day: runsADay(job, now, config.timeZone),
      deferred: Math.max(0, ...made.map(waiting)),
      streams: figures.streams,
    });
  }
  return found;
}

/** Percent of a day's requests above which a job that runs several times a day leaves others too little. */
const mostPercent = 25;

export function takesMostOfDay(requestsARun: number, runs: number, wholeDay: number): boolean {
  return runs > 1 && requestsARun * runs * 100 > wholeDay * mostPercent;
}

export function runsADay(job: SyncJob, now: Date, timeZone: string): number {
  const { times } = parseCron(job.schedule ?? '');
  const first = times === undefined ? undefined : nextDue(times, zoneOf(job, timeZone), now);
  return dueUntil(job, first, new Date(now.getTime() + dayMs), timeZone).length;
}

/** The moments at which a job is due from now on and before the day's requests renew. */
export function dueUntil(job: SyncJob, next: Date | undefined, until: Date, timeZone: string): DueRun[] {
  const times = job.schedule === undefined ? undefined : parseCron(job.schedule).times;
  const due: DueRun[] = [];
  for (let at = next; at !== undefined && at < until; ) {
    due.push({ job, at });
    at = times === undefined ? undefined : nextDue(times, zoneOf(job, timeZone), at);
  }
  return due;
}

/** The rest of the day's budget, and what the runs planned so far will publish. */
function createDay(input: JobsInput) {
  const { db, config, account, now } = input;
  const known = new Map<string, Promise<PlanFacts>>();
  const published = new Map<RunDate, Map<string, SliceState>>();
  let left: number | undefined;

  const questionOf = (job: SyncJob, at: Date): PlanQuestion => ({
    ...resolveJob(job, config, input.streams),
    runDate: runDateIn(config.timeZone, at),
  });
  const factsOf = (job: SyncJob, at: Date): Promise<PlanFacts> => {
    const question = questionOf(job, at);
    const name = `${job.name} ${question.runDate}`;
    const facts = known.get(name) ?? factsFor(db, config, account, question, now);
    known.set(name, facts);
    return facts;
  };
  const planOf = (facts: PlanFacts, question: PlanQuestion, remainingToday: number): Plan => {
    const states = [...facts.states, ...(published.get(question.runDate)?.values() ?? [])];
    const budget = { ...facts.budget, remainingToday };
    const clientIds = question.clientIds ?? facts.clientIds ?? [];
    return planFrom({ ...facts, states, budget }, config, account, question, clientIds);
  };
  return {
    facts: factsOf,
    spend: async ({ job, at }: DueRun): Promise<Plan> => {
      const facts = await factsOf(job, at);
      const question = questionOf(job, at);
      left ??= facts.budget.remainingToday;
      const plan = planOf(facts, question, left);
      const done = published.get(question.runDate) ?? new Map<string, SliceState>();
      for (const { scope, fit, requests } of plan.walks) {
        if (fit !== 'now') continue;
        left -= requests;
        done.set(scopeKey(scope), { ...scope, ...complete });
      }
      published.set(question.runDate, done);
      return plan;
    },
    /** Plans the run as if it had a day to itself. */
    alone: async ({ job, at }: DueRun): Promise<Plan> =>
      planOf(await factsOf(job, at), questionOf(job, at), account.perDay),
  };
}

const complete = {
  status: 'complete',
  walk: 'full',
  failedRule: null,
  failedValidations: 0,
  looksAgainAt: null,
  updatedAt: new Date(0),
  claimed: false,
  storedPages: 0,
  atEnd: false,
} as const;

function waiting(plan: Plan): number {
  return plan.walks.filter(({ fit }) => fit === 'waits' || fit === 'never').length;
}
