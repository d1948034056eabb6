// The text of `airank budget`: today's requests, and the limits of writes.

import { count, moment, oneLine, plural } from '../../core/text.ts';
import type { DayUse, StreamUse } from '../../store/budget/budget-report.ts';
import type { WriteUse } from '../../writes/store/list-writes.ts';
import type { WriteKind } from '../../writes/store/write-states.ts';
import { type Cell, table } from '../print/table.ts';
import type { Colors } from '../print/text.ts';
import { wrap } from '../print/words.ts';

/** Names of the limits of writes, which stand below the budget of requests. */
const names: Readonly<Record<WriteKind, string>> = {
  logs: 'uploads of logs in 60 minutes',
  questions: 'questions a day',
  measurement: 'measurements a day',
};

export function writeUseLines(uses: readonly WriteUse[], width: number): string[] {
  if (uses.length === 0) return [];
  const rows = uses.map((use): Cell[] => [names[use.kind], use.used, use.most, opensText(use)]);
  const closed = uses.flatMap((use) =>
    use.closed_until === null
      ? []
      : wrap(
          `${names[use.kind]}: refused by the service until ${moment(use.closed_until)}, ${oneLine(use.closed_reason ?? '', 120)}`,
          width,
          '  ! ',
        ),
  );
  return [
    '',
    ...table([['sent', 'used', 'most', 'next one'], ...rows], { width, indent: '  ', wraps: ['next one'] }),
    ...closed,
  ];
}

function opensText({ opens_at: opensAt }: WriteUse): string {
  return opensAt === null ? 'now' : moment(opensAt);
}

/**
 * The budget of an account for people: a bar, the hours of the day, the most expensive streams, the days
 * before.
 */
export interface AccountBudget {
  readonly account: string;
  readonly per_minute: number;
  readonly per_day: number;
  readonly reserved_for_people: number;
  readonly used_today: number;
  readonly remaining_today: number;
  /** Requests of other users of the key, at least. */
  readonly other_users_today: number;
  readonly renews_at: string;
  /** The source of `renews_at`: the setting, the server, or midnight if neither is known. */
  readonly renewal: 'set' | 'learned' | 'assumed';
  readonly renewal_learned_at: string | null;
  readonly closed_until: string | null;
  readonly refused_at: string | null;
  readonly hours: readonly {
    readonly hour: string;
    readonly jobs: number;
    readonly people: number;
    readonly other_users: number;
  }[];
  readonly streams: readonly StreamUse[];
  readonly days: readonly DayUse[];
  readonly writes: readonly WriteUse[];
}

const mostStreams = 8;
const mostDays = 7;
const barCells = 40;

export function budgetLines(
  budget: AccountBudget,
  { width, colors }: { readonly width: number; readonly colors: Colors },
): string[] {
  return [
    ...wrap(headline(budget), width),
    `  ${bar(budget, colors)}`,
    ...wrap(legend(budget), width, '  '),
    ...wrap(renewal(budget), width, '  '),
    ...wrap(otherUsers(budget), width, '  '),
    ...hourLines(budget, width),
    ...streamLines(budget, width),
    ...dayLines(budget, width),
    ...writeUseLines(budget.writes, width),
  ];
}

function headline({ account, per_day, remaining_today, used_today }: AccountBudget): string {
  const used = `${count(used_today)} of ${plural(per_day, 'request')} used today`;
  return `Account ${account}: ${used}, ${count(remaining_today)} remaining for jobs`;
}

/** Used, free and reserved: every part that is not empty shows at least one cell. */
function bar(
  budget: Pick<AccountBudget, 'per_day' | 'used_today' | 'reserved_for_people'>,
  colors: Colors,
): string {
  const cells = (requests: number) =>
    requests <= 0
      ? 0
      : Math.max(Math.round((Math.min(requests, budget.per_day) / budget.per_day) * barCells), 1);
  const used = Math.min(cells(budget.used_today), barCells);
  const reserved = Math.min(
    cells(Math.min(budget.reserved_for_people, budget.per_day - budget.used_today)),
    barCells - used,
  );
  const free = barCells - used - reserved;
  return `${colors.yellow('█'.repeat(used))}${colors.green('░'.repeat(free))}${colors.cyan('▒'.repeat(reserved))}`;
}

function legend(budget: AccountBudget): string {
  return `█ used, ░ remaining for jobs, ▒ reserved for people (${count(budget.reserved_for_people)}); ${count(budget.per_minute)} a minute`;
}

function renewal(budget: AccountBudget): string {
  const why = {
    set: 'as AIRANK_DAY_RENEWS_AT says',
    learned: `as the server said on ${budget.renewal_learned_at?.slice(0, 10) ?? ''}`,
    assumed: 'midnight, because the server has not told; AIRANK_DAY_RENEWS_AT sets it',
  }[budget.renewal];
  const closed =
    budget.closed_until === null
      ? ''
      : ` The key is closed until ${moment(budget.closed_until)}, after a refusal of the server; airank budget --reopen ${budget.account} opens it.`;
  return `Renews ${moment(budget.renews_at)}, ${why}.${closed}`;
}

function otherUsers({ other_users_today: today }: AccountBudget): string {
  return today === 0
    ? 'Nobody else seems to use the key.'
    : `Somebody else uses the key: at least ${plural(today, 'request')} today that ${today === 1 ? 'is' : 'are'} not in this ledger.`;
}

function hourLines({ hours }: AccountBudget, width: number): string[] {
  if (hours.length === 0) return [];
  const most = Math.max(...hours.map((hour) => hour.jobs + hour.people + hour.other_users), 1);
  const rows = hours.map(({ hour, jobs, people, other_users: others }) => [
    hour.slice(11, 16),
    jobs,
    people,
    others,
    '▇'.repeat(Math.max(Math.round(((jobs + people + others) / most) * 20), 1)),
  ]);
  return [
    '',
    ...table([['hour, UTC', 'jobs', 'people', 'others', ''], ...rows], { width, indent: '  ', yields: [''] }),
  ];
}

function streamLines({ streams }: AccountBudget, width: number): string[] {
  if (streams.length === 0) return [];
  const rows = streams.slice(0, mostStreams).map(({ stream, requests }) => [stream, requests]);
  const rest = streams.slice(mostStreams);
  const more = rest.reduce((sum, { requests }) => sum + requests, 0);
  if (rest.length > 0) rows.push([`${rest.length} more`, more]);
  return ['', ...table([['stream', 'requests'], ...rows], { width, indent: '  ' })];
}

function dayLines({ days }: AccountBudget, width: number): string[] {
  if (days.length < 2) return [];
  const rows = days.slice(0, mostDays).map(({ day, used, other_users: others }) => [day, used, others]);
  return ['', ...table([['day', 'used', 'others'], ...rows], { width, indent: '  ' })];
}
