// airank budget: who spent the key's requests today, and how many remain.
import { didYouMean } from '../../config/nearest-name.ts';
import { ConfigError } from '../../core/errors.ts';
import { count, momentIn, oneLine, plural } from '../../core/text.ts';
import {
  type DayUse,
  readBudget,
  readBudgetUse,
  reopenAccount,
  type StreamUse,
} from '../../store/budget/budget-report.ts';
import { reserveOf } from '../../store/budget/ledger.ts';
import { readWriteUses, type WriteUse } from '../../writes/store/list-writes.ts';
import { readSettings } from '../context.ts';
import { type Call, defineCommand } from '../define-command.ts';
import { type Cell, table } from '../print/table.ts';
import { type Colors, colorsFor } from '../print/text.ts';
import { chooseWarehouse, demoFlag, readWarehouse } from '../use-warehouse.ts';

const pastDays = 14;

export const command = defineCommand({
  about: "today's requests by hour and stream, and when it renews",
  flags: {
    '--reopen <account>': 'open a key that the server closed, because it was wrong',
    ...demoFlag,
    '--json': 'print the budget as JSON on stdout',
  },
  help: `
Needs no request. Requests of others show only while a sync runs,
counted by the server; the real number may be higher. Where anything was ever
sent, the limits of uploads, questions and measurements stand below.

Examples:
  $ airank budget
  $ airank budget --reopen default
  $ airank budget --json | jq '.accounts[] | {account, used_today}'`,
  async run(call) {
    const { terminal, flags, print, width } = call;
    if (flags.reopen !== undefined) {
      if (flags.demo) throw new ConfigError(['Expected --reopen without --demo: its key is never closed']);
      return await reopenKey(call, flags.reopen);
    }
    const options = { orDemo: true, needAccounts: true };
    await chooseWarehouse(terminal, flags, options, async (warehouse, { config }) => {
      const accounts: AccountBudget[] = [];
      for (const account of config.accounts) {
        if (warehouse === undefined) break;
        const state = await readBudget(warehouse.db, account, config);
        const use = await readBudgetUse(warehouse.db, account.name, config, pastDays);
        const learned = state.renewalLearnedAt;
        accounts.push({
          account: account.name,
          per_minute: account.perMinute,
          per_day: account.perDay,
          reserved_for_people: reserveOf(account),
          used_today: state.usedToday,
          remaining_today: state.remainingToday,
          other_users_today: use.hours.reduce((sum, hour) => sum + hour.other_users, 0),
          renews_at: state.renewsAt.toISOString(),
          renewal: learned !== undefined ? 'learned' : config.learnDayRenewal ? 'assumed' : 'set',
          renewal_learned_at: learned?.toISOString() ?? null,
          closed_until: state.closedUntil?.toISOString() ?? null,
          refused_at: use.refusedAt?.toISOString() ?? null,
          hours: use.hours.map((hour) => ({ ...hour, hour: hour.hour.toISOString() })),
          streams: use.streams,
          days: use.days,
          writes: await readWriteUses(warehouse.db, [account.name], config),
        });
      }
      const screen = { width, timeZone: config.timeZone, colors: colorsFor(terminal.stdout, terminal.env) };
      const lines = accounts.flatMap((account) => [
        ...(accounts.length > 1 ? [`Account ${account.account}`] : []),
        ...budgetLines(account, screen),
        '',
      ]);
      print({ accounts }, lines.join('\n').trimEnd() || 'No request was made yet. Run: airank sync');
    });
  },
});

/** @throws ConfigError when there is no such account */
async function reopenKey({ terminal, print }: Call, account: string): Promise<void> {
  const settings = readSettings(terminal, { needAccounts: true });
  const { config } = settings;
  const names = config.accounts.map(({ name }) => name);
  if (!names.includes(account)) {
    const fix = didYouMean(account, names);
    throw new ConfigError([
      `Expected --reopen to name one of the accounts ${names.join(', ')}, got "${account}"${fix === undefined ? '' : `. ${fix}`}`,
    ]);
  }
  const opened = await readWarehouse(terminal, settings, async (warehouse) =>
    warehouse === undefined ? undefined : await reopenAccount(warehouse.db, account, config),
  );
  const renewal = opened?.forgottenRenewal;
  const json = {
    account,
    opened: opened !== undefined,
    closed_until: opened?.closedUntil.toISOString() ?? null,
    forgotten_renewal: renewal ?? null,
  };
  if (opened === undefined) {
    return print(json, `The key of account ${account} is not closed: there is nothing to open.`);
  }
  const until = momentIn(config.timeZone, opened.closedUntil);
  print(json, [
    `Opened the key of account ${account}, which was closed until ${until}.`,
    ...(renewal === undefined
      ? []
      : [`That the day renews at ${renewal} UTC came from the same refusal and no longer counts.`]),
    'What waits goes on with: airank sync',
  ]);
}

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

interface Screen {
  readonly width: number;
  readonly timeZone: string;
  readonly colors: Colors;
}

const mostStreams = 6;
const barCells = 40;

export function budgetLines(budget: AccountBudget, { width, timeZone, colors }: Screen): string[] {
  const { per_day: perDay, remaining_today: left, closed_until: closed, used_today: used } = budget;
  const { reserved_for_people: reserved, other_users_today: others, streams, writes } = budget;
  const renews = momentIn(timeZone, budget.renews_at);
  const why = {
    set: 'as AIRANK_DAY_RENEWS_AT says',
    learned: `as the server said on ${budget.renewal_learned_at?.slice(0, 10) ?? ''}`,
    assumed: 'midnight UTC, assumed: the server has not said otherwise',
  }[budget.renewal];
  const rest = streams.slice(mostStreams);
  const most = streams.slice(0, mostStreams).map(({ stream, requests }) => `${stream} ${count(requests)}`);
  const more = rest.reduce((sum, { requests }) => sum + requests, 0);
  return [
    closed === null
      ? `${count(left)} of ${plural(perDay, 'request')} ${left === 1 ? 'is' : 'are'} left for jobs until ${renews}`
      : `${colors.red('✗')} No requests until ${momentIn(timeZone, closed)}, after a refusal of the server`,
    '',
    `  ${bar(budget, colors)}`,
    `  █ ${count(used)} used   ░ ${count(left)} left for jobs   ▒ ${count(reserved)} reserved for people`,
    ...hourLines(budget, { width, timeZone, colors }),
    ...(most.length === 0
      ? []
      : [
          '',
          `  most by stream: ${most.join(', ')}${rest.length === 0 ? '' : `; ${rest.length} others ${count(more)}`}`,
        ]),
    '',
    `  ${count(budget.per_minute)} a minute. The day renews ${renews}, ${why}.`,
    others === 0
      ? '  Nobody else seems to use the key.'
      : `  At least ${plural(others, 'request')} today ${others === 1 ? 'is' : 'are'} not in this ledger: of somebody else, or of init and doctor before the first sync.`,
    ...writes.map((use) => `  ${writeText(use, timeZone)}`),
    ...(closed === null
      ? []
      : [
          '',
          `    ${colors.cyan(`airank budget --reopen ${budget.account}`)}    if you know that this was a mistake`,
        ]),
  ];
}

/** Used, free and reserved: every part that is not empty shows at least one cell. */
function bar(
  { per_day: day, used_today: used, reserved_for_people: reserved }: AccountBudget,
  colors: Colors,
): string {
  const cells = (requests: number) =>
    requests <= 0 ? 0 : Math.max(Math.round((Math.min(requests, day) / day) * barCells), 1);
  const full = Math.min(cells(used), barCells);
  const kept = Math.min(cells(Math.min(reserved, day - used)), barCells - full);
  const free = barCells - full - kept;
  return `${colors.yellow('█'.repeat(full))}${colors.green('░'.repeat(free))}${colors.cyan('▒'.repeat(kept))}`;
}

function hourLines({ hours }: AccountBudget, { width, timeZone, colors }: Screen): string[] {
  if (hours.length === 0) return [];
  const most = Math.max(...hours.map((hour) => hour.jobs + hour.people + hour.other_users), 1);
  const shown = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const rows = hours.map(({ hour, jobs, people, other_users: others }): Cell[] => [
    new Date(hour).toLocaleTimeString('en-GB', shown),
    jobs,
    people,
    others,
    '▇'.repeat(Math.max(Math.round(((jobs + people + others) / most) * 20), 1)),
  ]);
  const paint = (line: string, row: number) => (row === 0 ? colors.dim(line) : line);
  return [
    '',
    ...table([['hour', 'jobs', 'people', 'others', ''], ...rows], {
      width,
      indent: '  ',
      yields: [''],
      paint,
    }),
  ];
}

const limits = {
  logs: 'uploads of logs in 60 minutes',
  questions: 'questions today',
  measurement: 'measurements today',
} as const;

/** `2 of 3 measurements today sent; the next from 28 Nov 01:00 (Europe/Madrid) on`. */
function writeText({ kind, used, most, opens_at: opens, ...use }: WriteUse, timeZone: string): string {
  const next = opens === null ? '' : `; the next from ${momentIn(timeZone, opens)} on`;
  const closed = use.closed_until;
  const refused =
    closed === null
      ? ''
      : `; refused until ${momentIn(timeZone, closed)}, ${oneLine(use.closed_reason ?? '', 120)}`;
  return `${count(used)} of ${count(most)} ${limits[kind]} sent${next}${refused}`;
}
