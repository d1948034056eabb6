// The plan of an account as `airank plan` shows it and a run stores it. Pure.
import type { AccountConfig, Config } from '../../config/config.ts';
import { reserveOf } from '../../store/budget/ledger.ts';
import { type Forecast, forecast, type NotKnown, notKnown } from './forecast.ts';
import type { Plan } from './plan.ts';
import { type PlanFacts, type PlanQuestion, planFrom } from './plan-facts.ts';

export interface AccountPlan extends Forecast {
  /** What is known of the account's clients; null: nothing, their list was never published. */
  readonly clients: { readonly count: number; readonly run_date: string | null } | null;
  /** What nothing says before a first sync, and `requests` leaves out; null: the clients are known. */
  readonly not_known: NotKnown | null;
  /** A newer run date is published, so a sync refuses this one; null: none. */
  readonly refused_by: string | null;
  readonly budget: {
    readonly per_minute: number;
    readonly per_day: number;
    readonly reserved_for_people: number;
    readonly used_today: number;
    readonly remaining_today: number;
    readonly renews_at: string;
    readonly closed_until: string | null;
  };
}

/** The plan of one account in figures and slice by slice. */
export function accountPlan(
  facts: PlanFacts,
  config: Config,
  account: AccountConfig,
  question: PlanQuestion,
  now: Date,
): { readonly summary: AccountPlan; readonly plan: Plan } {
  const { budget, history } = facts;
  const plan = planFrom(facts, config, account, question, question.clientIds ?? facts.clientIds ?? []);
  const figures = forecast({
    account: account.name,
    plan,
    perMinute: account.perMinute,
    remainingToday: budget.remainingToday,
    wholeDay: account.perDay - reserveOf(account),
    renewsAt: budget.closedUntil ?? budget.renewsAt,
    now,
  });
  const listed = history.find((walk) => walk.stream === question.clientsStream?.name && walk.clientId === '');
  const { clientIds, clientFits = () => true } = question;
  const summary: AccountPlan = {
    ...figures,
    clients:
      clientIds !== undefined
        ? { count: clientIds.filter((id) => clientFits(id, account.name)).length, run_date: null }
        : facts.clientIds === undefined
          ? null
          : { count: facts.clientIds.length, run_date: listed?.lastRunDate ?? null },
    not_known: notKnown(figures, question, facts.clientIds),
    refused_by: facts.newest !== undefined && question.runDate < facts.newest ? facts.newest : null,
    budget: {
      per_minute: account.perMinute,
      per_day: account.perDay,
      reserved_for_people: reserveOf(account),
      used_today: budget.usedToday,
      remaining_today: budget.remainingToday,
      renews_at: budget.renewsAt.toISOString(),
      closed_until: budget.closedUntil?.toISOString() ?? null,
    },
  };
  return { summary, plan };
}
