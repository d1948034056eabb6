// airank budget: who spent the key's requests, today or (--history) on many days, and how many remain.

import { didYouMean } from '../../config/names.ts';
import { ConfigError } from '../../core/errors.ts';
import { count, moment, plural } from '../../core/text.ts';
import {
  type BudgetHistory,
  type Reopened,
  readBudget,
  readBudgetHistory,
  readBudgetUse,
  reopenAccount,
} from '../../store/budget/budget-report.ts';
import { reserveOf } from '../../store/budget/ledger.ts';
import { readWriteUses } from '../../writes/store/list-writes.ts';
import { readSettings } from '../context.ts';
import { type Call, defineCommand, numberFlag } from '../define-command.ts';
import { type Cell, table } from '../print/table.ts';
import { colorsFor, wrap } from '../print/words.ts';
import { chooseWarehouse, demoFlag, lookAtWarehouse, type Which } from '../use-warehouse.ts';
import { type AccountBudget, budgetLines } from './budget-text.ts';

/**
 * Who spent an account's requests over many days, for people: who spends most first, then days, jobs and streams.
 */
export interface AccountHistory extends BudgetHistory {
  readonly account: string;
  readonly per_day: number;
}

const mostStreams = 12;
const mostDays = 31;

export function budgetHistoryLines(history: AccountHistory, width: number): string[] {
  const { account, since, days } = history;
  const total = usedIn(history);
  if (total === 0) return [`Account ${account}: no request since ${since}.`];
  return [
    ...wrap(
      `Account ${account}: ${plural(total, 'request')} since ${since}, on ${plural(days.length, 'day')}. ${mostText(history)}`,
      width,
    ),
    '',
    ...dayLines(history, width),
    '',
    ...jobLines(history, width),
    '',
    ...streamLines(history, width),
  ];
}

function usedIn({ days }: BudgetHistory): number {
  return days.reduce((sum, { used }) => sum + used, 0);
}

/** `Most by daily-snapshot (92 %), most for agent_run_traces (61 %), most on 2026-11-20 (2,430).` */
function mostText(history: AccountHistory): string {
  const total = usedIn(history);
  const [job] = history.jobs;
  const [stream] = history.streams;
  const [day] = [...history.days].sort((a, b) => b.used - a.used);
  const texts = [
    ...(job === undefined || job.requests === 0 ? [] : [`by ${job.job} (${percent(job.requests, total)})`]),
    ...(stream === undefined ? [] : [`for ${stream.stream} (${percent(stream.requests, total)})`]),
    ...(day === undefined ? [] : [`on ${day.day} (${count(day.used)} of ${count(history.per_day)})`]),
  ];
  return `Most ${texts.join(', ')}.`;
}

function dayLines({ days, per_day: perDay }: AccountHistory, width: number): string[] {
  const rows = days
    .slice(0, mostDays)
    .map(({ day, used, jobs, people, strangers }): Cell[] => [
      day,
      used,
      percent(used, perDay),
      jobs,
      people,
      strangers,
    ]);
  const head = ['day', 'used', 'of the day', 'jobs', 'people', 'others'];
  return [...table([head, ...rows], { width, indent: '  ' }), ...more(days.length - mostDays, 'day')];
}

function jobLines(history: AccountHistory, width: number): string[] {
  const total = usedIn(history);
  const told = history.jobs.reduce((sum, { requests }) => sum + requests, 0);
  const rows = history.jobs.map(({ job, runs, requests }): Cell[] => [
    job,
    runs,
    requests,
    Math.round(requests / runs),
    percent(requests, total),
  ]);
  const untold = total - told;
  // Grants that were lost with a killed process, and people: doctor and the like make no run.
  if (untold > 0) rows.push(['(no run)', '', untold, '', percent(untold, total)]);
  return table([['job', 'runs', 'requests', 'a run', 'share'], ...rows], { width, indent: '  ' });
}

function streamLines(history: AccountHistory, width: number): string[] {
  const total = usedIn(history);
  const rows = history.streams
    .slice(0, mostStreams)
    .map(({ stream, requests, most_in_a_day: most }): Cell[] => [
      stream,
      requests,
      percent(requests, total),
      Math.round(requests / history.days.length),
      most,
    ]);
  const head = ['stream', 'requests', 'share', 'a day', 'most in a day'];
  return [
    ...table([head, ...rows], { width, indent: '  ' }),
    ...more(history.streams.length - mostStreams, 'stream'),
  ];
}

function more(hidden: number, one: string): string[] {
  return hidden <= 0 ? [] : [`  … and ${plural(hidden, `more ${one}`)} (--json)`];
}

function percent(part: number, whole: number): string {
  return `${Math.round((part / Math.max(whole, 1)) * 100)} %`;
}

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
  const opened = await lookAtWarehouse(terminal, settings, async (warehouse) =>
    warehouse === undefined ? undefined : await reopenAccount(warehouse.db, account, config),
  );
  const json = {
    account,
    opened: opened !== undefined,
    closed_until: opened?.closedUntil.toISOString() ?? null,
    forgotten_renewal: opened?.forgottenRenewal ?? null,
  };
  print(json, textOf(account, opened));
}

function textOf(account: string, opened: Reopened | undefined): string {
  if (opened === undefined) return `The key of account ${account} is not closed: there is nothing to open.`;
  const forgotten =
    opened.forgottenRenewal === undefined
      ? ''
      : ` That the day renews at ${opened.forgottenRenewal} UTC came from the same refusal and no longer counts.`;
  return (
    `Opened the key of account ${account}, which was closed until ${moment(opened.closedUntil)}.${forgotten}\n` +
    'The slices that wait go on with: airank sync'
  );
}

const defaultDays = 30;

async function showBudgetHistory({
  terminal,
  flags,
  print,
  width,
}: Call<Which & { readonly days?: string }>): Promise<void> {
  const faults: string[] = [];
  const days = numberFlag('--days', flags.days, { min: 1, max: 3_650 }, faults) ?? defaultDays;
  if (faults.length > 0) throw new ConfigError(faults);
  const options = { orDemo: true, needAccounts: true };
  const accounts = await chooseWarehouse(terminal, flags, options, async (warehouse, { config }) => {
    const found: AccountHistory[] = [];
    if (warehouse === undefined) return found;
    for (const { name, ...account } of config.accounts) {
      const history = await readBudgetHistory(warehouse.db, name, config, days);
      found.push({ account: name, per_day: account.perDay, ...history });
    }
    return found;
  });
  const blocks = accounts.map((account) => budgetHistoryLines(account, width).join('\n'));
  print({ accounts }, blocks.join('\n\n') || nothingText);
}

const pastDays = 14;
const nothingText = 'No request was made yet. Run: airank sync';

export const command = defineCommand({
  about: "today's requests by hour and stream, and when it renews",
  flags: {
    '--history': 'who spent the requests of many days: by day, job and stream',
    '--days <days>': 'of the history, today included (default: 30)',
    '--reopen <account>': 'open a key that the server closed, because it was wrong',
    ...demoFlag,
    '--json': 'print the budget as JSON on stdout',
  },
  help: `
Needs no request. Requests of others show only while a sync runs,
by the server's own count, so it is a least.
The history counts for a job what its runs made. Where anything was ever sent,
the limits of uploads, questions and measurements stand below.

Examples:
  $ airank budget
  $ airank budget --history --days 7
  $ airank budget --reopen default
  $ airank budget --json | jq '.accounts[] | {account, used_today}'`,
  async run(call) {
    const { terminal, flags, print, width } = call;
    if (flags.reopen !== undefined) {
      if (flags.demo) throw new ConfigError(['Expected --reopen without --demo: its key is never closed']);
      return await reopenKey(call, flags.reopen);
    }
    if (flags.history || flags.days !== undefined) return await showBudgetHistory(call);
    const options = { orDemo: true, needAccounts: true };
    const accounts = await chooseWarehouse(terminal, flags, options, async (warehouse, { config }) => {
      const found: AccountBudget[] = [];
      if (warehouse === undefined) return found;
      for (const account of config.accounts) {
        const state = await readBudget(warehouse.db, account, config);
        const use = await readBudgetUse(warehouse.db, account.name, config, pastDays);
        found.push({
          account: account.name,
          per_minute: account.perMinute,
          per_day: account.perDay,
          reserved_for_people: reserveOf(account),
          used_today: state.usedToday,
          remaining_today: state.remainingToday,
          strangers_today: use.hours.reduce((sum, hour) => sum + hour.strangers, 0),
          renews_at: state.renewsAt.toISOString(),
          renewal:
            state.renewalLearnedAt !== undefined ? 'learned' : config.learnDayRenewal ? 'assumed' : 'set',
          renewal_learned_at: state.renewalLearnedAt?.toISOString() ?? null,
          closed_until: state.closedUntil?.toISOString() ?? null,
          refused_at: use.refusedAt?.toISOString() ?? null,
          hours: use.hours.map((hour) => ({ ...hour, hour: hour.hour.toISOString() })),
          streams: use.streams,
          days: use.days,
          writes: await readWriteUses(warehouse.db, [account.name], config),
        });
      }
      return found;
    });
    const shape = { width: Math.min(width, 80), colors: colorsFor(terminal.stdout, terminal.env) };
    const blocks = accounts.map((account) => budgetLines(account, shape).join('\n'));
    print({ accounts }, blocks.join('\n\n') || nothingText);
  },
});
