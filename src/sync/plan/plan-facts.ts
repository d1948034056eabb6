// Reads what a plan is made from; makes no request and writes nothing.
import type { AccountConfig, Config } from '../../config/config.ts';
import type { RunDate } from '../../core/run-date.ts';
import { atOnce, type Executor } from '../../db/database.ts';
import { type BudgetState, freshBudget, readBudget } from '../../store/budget/budget-report.ts';
import { reserveOf } from '../../store/budget/ledger.ts';
import { readFixedKeys } from '../../store/pages/record-keys.ts';
import { readClients } from '../../store/scopes/clients.ts';
import { newestPublished } from '../../store/slices/slices.ts';
import {
  readSliceStates,
  type SliceState,
  type WalkHistory,
  walkHistory,
} from '../../store/slices/walk-history.ts';
import type { Stream } from '../../streams/stream.ts';
import { type Plan, planAccount, type WalkMode } from './plan.ts';
import { clientsStreamOf, type Selected } from './selected-scopes.ts';
import { isArchive } from './slice-cost.ts';

export interface PlanQuestion extends Selected {
  readonly runDate: RunDate;
  readonly again: boolean;
  /** With `again`, skips slices published since then: an earlier attempt has done them. */
  readonly againSince?: Date | undefined;
  /** Streams whose vanished records a user has accepted as gone. */
  readonly acceptVanished?: ReadonlySet<string> | undefined;
  readonly walk: WalkMode;
}

export interface PlanFacts {
  readonly budget: BudgetState;
  readonly history: readonly WalkHistory[];
  readonly states: readonly SliceState[];
  readonly clientIds: readonly string[] | undefined;
  readonly newest: string | undefined;
}

export async function factsFor(
  db: Executor | undefined,
  config: Config,
  account: AccountConfig,
  question: PlanQuestion,
  now: Date,
): Promise<PlanFacts> {
  return db === undefined
    ? noFacts(config, account, now)
    : await readPlanFacts(db, config, account, question);
}

export async function readPlanFacts(
  db: Executor,
  config: Config,
  account: AccountConfig,
  question: PlanQuestion,
): Promise<PlanFacts> {
  const archives = question.streams.filter(isArchive).map((stream) => stream.name);
  const detailed = question.streams.flatMap(({ source }) => (source.kind === 'details' ? source.of : []));
  const stream = question.clientsStream;
  const [history, clients, budget, states, newest] = await atOnce(db, (one) =>
    Promise.all([
      walkHistory(one, account.name, question.runDate, archives, detailed),
      stream === undefined ? undefined : readListedClients(one, account.name, stream),
      readBudget(one, account, config),
      readSliceStates(one, account.name, question.runDate),
      newestPublished(one, account.name),
    ]),
  );
  const clientIds = clientsStreamOf(question) === undefined ? [] : clients?.ids;
  return { budget, history, states, clientIds, newest };
}

/** Reads the clients of the newest published list; undefined if there is none. @param stream lists clients */
export async function readListedClients(
  db: Executor,
  account: string,
  stream: Stream,
): Promise<{ readonly runDate: string; readonly ids: readonly string[] } | undefined> {
  const [runDate, keys] = await Promise.all([
    newestPublished(db, account, stream.name),
    readFixedKeys(db, account),
  ]);
  if (runDate === undefined) return undefined;
  const { ids } = await readClients(db, account, keys.get(stream.name)?.recordKey, stream);
  return { runDate, ids };
}

/** Returns the facts when there is no warehouse yet: everything is unknown. */
function noFacts(config: Config, account: AccountConfig, now: Date): PlanFacts {
  const budget = freshBudget(account, config, now);
  return { budget, history: [], states: [], clientIds: undefined, newest: undefined };
}

export function planFrom(
  facts: Pick<PlanFacts, 'budget' | 'history' | 'states'>,
  config: Config,
  account: AccountConfig,
  question: PlanQuestion,
  clientIds: readonly string[],
): Plan {
  return planAccount({
    account: account.name,
    selected: question,
    clientIds,
    history: facts.history,
    states: facts.states,
    exactRequests: exactRequests(question, config),
    again: question.again,
    againSince: question.againSince,
    acceptVanished: question.acceptVanished,
    mode: question.walk,
    limits: config,
    budget: {
      runDate: question.runDate,
      wholeDay: account.perDay - reserveOf(account),
      left: facts.budget.remainingToday,
    },
  });
}

function exactRequests(question: PlanQuestion, config: Config): Map<string, number> {
  return new Map(
    question.streams.flatMap(({ name, source }): [string, number][] => {
      if (source.kind === 'questions') return [[name, config.questions.length]];
      return source.kind === 'public' ? [[name, config.publicIds.length]] : [];
    }),
  );
}
