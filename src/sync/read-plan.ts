// Reads what a plan is made from, without a request and without writing, and makes it.
import type { AccountConfig, Config } from '../config/config.ts';
import type { RunDate } from '../core/run-date.ts';
import { type BudgetState, freshBudget, readBudget } from '../warehouse/budget-report.ts';
import { readClients } from '../warehouse/clients.ts';
import type { Executor } from '../warehouse/database.ts';
import { reserveOf } from '../warehouse/ledger.ts';
import { readPins } from '../warehouse/pins.ts';
import { readSliceStates, type SliceState } from '../warehouse/slice-states.ts';
import { newestPublished, type WalkHistory, walkHistory } from '../warehouse/slices.ts';
import { type Forecast, forecast } from './forecast.ts';
import { clientsStreamOf, planSelection, type Selected } from './plan.ts';

export interface PlanQuestion extends Selected {
  readonly runDate: RunDate;
  readonly again: boolean;
}

export interface AccountPlan extends Forecast {
  /** What is known of the account's clients; null: nothing, their list was never published. */
  readonly clients: { readonly count: number; readonly run_date: string | null } | null;
  /** A newer run date is published, so a sync refuses this one; null: none. */
  readonly refused_by: string | null;
  readonly budget: {
    readonly per_minute: number;
    readonly per_day: number;
    readonly kept_for_people: number;
    readonly used_today: number;
    readonly left_today: number;
    readonly renews_at: string;
    readonly closed_until: string | null;
  };
}

interface Facts {
  readonly budget: BudgetState;
  readonly history: readonly WalkHistory[];
  readonly states: readonly SliceState[];
  /** Undefined: their list was never published. */
  readonly clientIds: readonly string[] | undefined;
  readonly newest: string | undefined;
}

/** The plan of one account. `db` undefined: there is no warehouse yet, everything is unknown. */
export async function readAccountPlan(
  db: Executor | undefined,
  config: Config,
  account: AccountConfig,
  question: PlanQuestion,
  now = new Date(),
): Promise<AccountPlan> {
  const facts =
    db === undefined ? noFacts(config, account, now) : await readFacts(db, config, account, question);
  const { budget, history } = facts;
  const asked = question.clientIds ?? facts.clientIds ?? [];
  const plan = forecast({
    account: account.name,
    walks: planSelection(question, { account: account.name, clientIds: asked, history }),
    states: facts.states,
    exactRequests: exactRequests(question, config),
    singleRecordStreams: new Set(
      question.streams.filter((stream) => stream.source.kind !== 'walk').map((stream) => stream.name),
    ),
    again: question.again,
    perMinute: account.perMinute,
    leftToday: budget.leftToday,
    renewsAt: budget.closedUntil ?? budget.renewsAt,
    now,
  });
  const listed = history.find((walk) => walk.stream === question.clientsStream?.name && walk.clientId === '');
  return {
    ...plan,
    clients:
      question.clientIds !== undefined
        ? { count: question.clientIds.length, run_date: null }
        : facts.clientIds === undefined
          ? null
          : { count: facts.clientIds.length, run_date: listed?.lastRunDate ?? null },
    refused_by: facts.newest !== undefined && question.runDate < facts.newest ? facts.newest : null,
    budget: {
      per_minute: account.perMinute,
      per_day: account.perDay,
      kept_for_people: reserveOf(account),
      used_today: budget.usedToday,
      left_today: budget.leftToday,
      renews_at: budget.renewsAt.toISOString(),
      closed_until: budget.closedUntil?.toISOString() ?? null,
    },
  };
}

async function readFacts(
  db: Executor,
  config: Config,
  account: AccountConfig,
  question: PlanQuestion,
): Promise<Facts> {
  const history = await walkHistory(db, account.name);
  const stream = question.clientsStream;
  const isListed = history.some((walk) => walk.stream === stream?.name);
  const key = stream === undefined ? undefined : (await readPins(db)).get(stream.name)?.recordKey;
  const clients =
    isListed && stream !== undefined ? await readClients(db, account.name, key, stream.keys) : undefined;
  return {
    budget: await readBudget(db, account, config),
    history,
    states: await readSliceStates(db, account.name, question.runDate),
    clientIds: clientsStreamOf(question) === undefined ? [] : clients?.ids,
    newest: await newestPublished(db, account.name),
  };
}

function noFacts(config: Config, account: AccountConfig, now: Date): Facts {
  const budget = freshBudget(account, config, now);
  return { budget, history: [], states: [], clientIds: undefined, newest: undefined };
}

function exactRequests(question: PlanQuestion, config: Config): Map<string, number> {
  return new Map(
    question.streams.flatMap(({ name, source }): [string, number][] => {
      if (source.kind === 'questions') return [[name, config.questions.length]];
      return source.kind === 'public' ? [[name, config.publicIds.length]] : [];
    }),
  );
}
