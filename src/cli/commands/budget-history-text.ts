// The text of `airank budget` over past days.
import { count, plural } from '../../core/text.ts';
import type { BudgetHistory } from '../../store/budget/budget-report.ts';
import { type Cell, table } from '../print/table.ts';
import { wrap } from '../print/words.ts';

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
