// airank budget: who spent the key's requests today, and how many remain.
import type { AccountConfig, Config } from '../../config/config.ts';
import { configuredAccount } from '../../config/names.ts';
import { ConfigError } from '../../core/errors.ts';
import { count, momentIn, oneLine, plural } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import type { BudgetStatus } from '../../status/account-status.ts';
import { budgetStatus } from '../../status/read-status.ts';
import {
  readBudget,
  readBudgetUse,
  reopenAccount,
  type StreamUse,
} from '../../store/budget/budget-report.ts';
import { readWriteUses, type WriteUse } from '../../writes/store/list-writes.ts';
import { readSettings } from '../context.ts';
import { type Call, defineCommand } from '../define-command.ts';
import { type Cell, dimHead, table } from '../print/table.ts';
import { type Colors, colorsFor } from '../print/text.ts';
import { chooseWarehouse, demoFlag, readWarehouse } from '../use-warehouse.ts';

export const command = defineCommand({
  about: "today's requests by hour and stream, and when it renews",
  flags: {
    '--reopen <account>': 'use a closed or paused key again before its time',
    ...demoFlag,
    '--json': 'print the budget as JSON on stdout',
  },
  help: `
Makes no request. Requests of others are counted by the server, and seen only
while a sync runs: the real number may be higher. Once anything was sent, the
limits of uploads, questions and measurements are listed too.

Examples:
  $ airank budget
  $ airank budget --reopen default
  $ airank budget --json | jq '.accounts[] | {account, used_today}'`,
  async run(call) {
    const { terminal, flags, print, width } = call;
    if (flags.reopen !== undefined) {
      if (flags.demo)
        throw new ConfigError(['--reopen cannot be used with --demo, whose key is never closed']);
      return await reopenKey(call, flags.reopen);
    }
    const options = { orDemo: true, needAccounts: true };
    await chooseWarehouse(terminal, flags, options, async (warehouse, { config }) => {
      const { timeZone } = config;
      const accounts: AccountBudget[] = [];
      if (warehouse !== undefined)
        for (const account of config.accounts) accounts.push(await budgetOf(warehouse.db, account, config));
      const screen = { width, timeZone, colors: colorsFor(terminal.stdout, terminal.env) };
      const lines = accounts.flatMap((account) => [
        ...(accounts.length > 1 ? [`Account ${account.account}`] : []),
        ...budgetLines(account, screen),
        '',
      ]);
      print({ accounts }, lines.join('\n').trimEnd() || 'No request was made yet. Run: airank sync');
    });
  },
});

async function budgetOf(db: Executor, account: AccountConfig, config: Config): Promise<AccountBudget> {
  const state = await readBudget(db, account, config);
  const { hours, streams } = await readBudgetUse(db, account.name, config);
  return {
    account: account.name,
    per_minute: account.perMinute,
    ...budgetStatus(account, state, config),
    other_users_today: hours.reduce((sum, hour) => sum + hour.other_users, 0),
    renewal_learned_at: state.renewalLearnedAt?.toISOString() ?? null,
    hours: hours.map((hour) => ({ ...hour, hour: hour.hour.toISOString() })),
    streams,
    writes: await readWriteUses(db, [account.name], config),
  };
}

/** @throws ConfigError when there is no such account */
async function reopenKey({ terminal, print }: Call, account: string): Promise<void> {
  const settings = readSettings(terminal, { needAccounts: true });
  const { config } = settings;
  configuredAccount(config.accounts, account, '--reopen');
  const opened = await readWarehouse(terminal, settings, async (warehouse) =>
    warehouse === undefined ? undefined : await reopenAccount(warehouse.db, account, config),
  );
  const json = {
    account,
    opened: opened !== undefined,
    closed_until: opened?.closedUntil.toISOString() ?? null,
    forgotten_renewal: opened?.forgottenRenewal ?? null,
  };
  if (opened === undefined) {
    return print(json, `The key of account ${account} is not closed: there is nothing to open.`);
  }
  const { closedUntil, forgottenRenewal: renewal } = opened;
  print(json, [
    `Opened the key of account ${account}, which was closed until ${momentIn(config.timeZone, closedUntil)}.`,
    ...(renewal === undefined
      ? []
      : [`The renewal time ${renewal} UTC came from the same refusal and was forgotten.`]),
    'What waits goes on with: airank sync',
  ]);
}

export interface AccountBudget extends BudgetStatus {
  readonly account: string;
  readonly per_minute: number;
  /** Requests that others made with the key; the real number may be higher. */
  readonly other_users_today: number;
  readonly renewal_learned_at: string | null;
  readonly hours: readonly {
    readonly hour: string;
    readonly jobs: number;
    readonly people: number;
    readonly other_users: number;
  }[];
  readonly streams: readonly StreamUse[];
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
      : `  At least ${plural(others, 'request')} today ${others === 1 ? 'is' : 'are'} not in this ledger: made by somebody else, or by init and doctor before the first sync.`,
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
  const head = ['hour', 'jobs', 'people', 'others', ''];
  return ['', ...table([head, ...rows], { width, indent: '  ', yields: [''], paint: dimHead(colors) })];
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
