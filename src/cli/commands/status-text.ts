// The text of `airank status`.

import { groupBy } from '../../core/group-by.ts';
import { bytes, count, duration, moment, plural, stamp } from '../../core/text.ts';
import { type AccountStatus, problemsOf, type StreamLine } from '../../status/account-status.ts';
import type { KeyedStream, StatusReport } from '../../status/read-status.ts';
import { readinessLine } from '../print/readiness.ts';
import { type Cell, table } from '../print/table.ts';
import type { Colors } from '../print/text.ts';
import { runText, wrap } from '../print/words.ts';
import { batchLines as queueLines } from './jobs-command.ts';
import { driftLines, failureLines, nameOf, unavailableLines } from './status-faults.ts';
import { openWriteLines } from './writes-command.ts';

const mostNames = 4;

/** Says in which list of an answer the records were found, and which fields identify a record. */
function recordKeyLines(
  keyed: readonly KeyedStream[],
  options: { readonly all: boolean; readonly width: number },
): string[] {
  const lists = keyed.flatMap((one) => (one.list_key === null ? [] : [`${one.stream} \`${one.list_key}\``]));
  const keys = [...groupBy(keyed, (one) => describeKey(one.record_key))].map(([key, streams]) => {
    const names = streams.map((one) => one.stream);
    const short = !options.all && names.length > mostNames;
    return `${key} (${short ? plural(names.length, 'stream') : names.join(', ')})`;
  });
  return [
    ...wrap(
      'Record keys and lists (to change them: streams.<name>.list and .keys in airank.config.yaml)',
      options.width,
    ),
    ...(lists.length === 0 ? [] : wrap(`list found in the answer: ${lists.join(', ')}`, options.width, '  ')),
    ...(options.all
      ? keys.flatMap((key) => wrap(key, options.width, '  '))
      : wrap(`${keys.join(', ')}`, options.width, '  ')),
  ];
}

/** `key id`, `key fecha + metodo`, `key: content`. */
export function describeKey(key: KeyedStream['record_key']): string {
  if (key === null || key === undefined) return 'key not known yet';
  if (key.length === 0) return 'key: content';
  return `key ${key.map((path) => (path.length === 0 ? '(the record itself)' : path.join('.'))).join(' + ')}`;
}

interface PrintStatusOptions {
  readonly all: boolean;
  readonly width: number;
  readonly colors: Colors;
}

const mostStreams = 12;
/** Streams of each account if there are several accounts: only those that need a look. */
const mostOfSeveral = 4;
const mostAccounts = 6;

/** Renders the status on one screen: what needs a look first, then the streams, runs and record keys. */
export function statusLines(report: StatusReport, options: PrintStatusOptions): string[] {
  const { width } = options;
  const lines = [...verdictLines(report, options), '', ...accountsLines(report.accounts, options)];
  if (report.batches.length > 0) lines.push(...batchLines(report, width), '');
  const { queue } = report;
  if (queue.batches.length > 0) {
    lines.push(...queueLines(queue.batches, { now: new Date(), width }), '');
    lines.push(...wrap(workersText(queue.workers), width), '');
  }
  if (report.views !== null) lines.push(...wrap(`${readinessLine(report.views)}.`, width), '');
  lines.push(...wrap(backupText(report.last_backup, new Date()), width), '');
  if (report.drift.length + report.stale_views.length > 0) lines.push(...driftLines(report, options), '');
  if (report.record_keys.length > 0) lines.push(...recordKeyLines(report.record_keys, options), '');
  if (report.open_alerts > 0) {
    const be = report.open_alerts === 1 ? 'is' : 'are';
    lines.push(`! ${plural(report.open_alerts, 'alert')} ${be} open: airank alerts --open`, '');
  }
  if (report.writes.open.length > 0) {
    const several = report.accounts.length > 1;
    lines.push(...openWriteLines(report.writes, { ...options, several }), '');
  }
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Renders the verdict: data of today is fine; for the rest it says why not, and when it goes on. */
function verdictLines(
  { fine, problems, accounts, today }: StatusReport,
  options: PrintStatusOptions,
): string[] {
  const { width, colors } = options;
  if (!fine) return problems.flatMap((problem) => wrap(problem, width, '✗ ').map(colors.red));
  const dates = new Map<string, string>();
  for (const { streams } of accounts)
    for (const { stream, run_date: date, ended } of streams)
      if (date !== null && !ended && date < (dates.get(stream) ?? '9999')) dates.set(stream, date);
  const now = [...dates.values()].filter((date) => date === today).length;
  const oldest = [...dates.values()].sort()[0];
  const text =
    now === dates.size
      ? `✓ Fine: all ${plural(now, 'stream')} are of today, ${today}`
      : `✓ Fine: nothing is late; ${count(now)} of ${plural(dates.size, 'stream')} ${now === 1 ? 'is' : 'are'} of today, ${today}, the oldest of ${oldest}`;
  return wrap(text, width).map(colors.green);
}

function workersText(workers: StatusReport['queue']['workers']): string {
  const working = workers.filter(({ kinds, state }) => kinds.length > 0 && state === 'working').length;
  return `${plural(working, 'worker')} ${working === 1 ? 'takes' : 'take'} jobs: airank jobs`;
}

function accountsLines(accounts: readonly AccountStatus[], options: PrintStatusOptions): string[] {
  const several = accounts.length > 1;
  const fine = accounts.filter((account) => problemsOf(account).length === 0);
  // Many accounts do not fit on a screen: those without problems are only named.
  const named = options.all || accounts.length <= mostAccounts ? [] : fine;
  const lines = accounts
    .filter((account) => !named.includes(account))
    .flatMap((account) => [...accountLines(account, options, several), '']);
  if (named.length === 0) return lines;
  const text = `${plural(named.length, 'account')} without a problem (--all): ${named.map(({ account }) => account).join(', ')}`;
  return [...lines, ...wrap(text, options.width), ''];
}

function accountLines(account: AccountStatus, options: PrintStatusOptions, several: boolean): string[] {
  const { width } = options;
  const rows = streamLines(account, options, several);
  return [
    ...wrap(headline(account), width),
    ...runLines(account, width),
    ...wrap(budgetText(account), width, '  '),
    ...incrementalLines(account, width),
    ...lostLines(account, width),
    ...failureLines(account.failed, options),
    ...unavailableLines(account.unavailable, options),
    ...unfinishedLines(account, width),
    ...(rows.length === 0 ? [] : [...(several ? [] : ['']), ...rows]),
  ];
}

function headline({ account, run_date, slices, published, age_days }: AccountStatus): string {
  if (run_date === null) return `Account ${account}: never synced. Run: airank sync`;
  const all = Object.values(slices).reduce((sum, some) => sum + some, 0);
  const complete = slices.complete ?? 0;
  const rest = (['failed', 'deferred', 'unavailable', 'walking', 'planned'] as const).flatMap((status) => {
    const some = slices[status] ?? 0;
    return some === 0 ? [] : [`${count(some)} ${status}`];
  });
  const fresh =
    published === null ? 'nothing is published' : `newest data ${published}, ${dayText(age_days ?? 0)}`;
  return (
    `Account ${account}: ${fresh}. Run date ${run_date}: ${count(complete)} of ${plural(all, 'slice')} complete` +
    (rest.length === 0 ? '' : `, ${rest.join(', ')}`)
  );
}

function runLines({ runs }: AccountStatus, width: number): string[] {
  return runs
    .filter((run) => run.is_alive)
    .flatMap((run) => wrap(`a sync works on it: ${runText(run)}`, width, '  '));
}

function budgetText({ budget }: AccountStatus): string {
  if (budget === null) return 'Budget: not known, the configuration does not have this account';
  const closed =
    budget.closed_until === null ? '' : `; the server closed the key until ${moment(budget.closed_until)}`;
  return (
    `Budget: ${count(budget.used_today)} of ${plural(budget.per_day, 'request')} used today, ` +
    `${count(budget.remaining_today)} remaining for jobs, renews ${moment(budget.renews_at)}` +
    `${budget.renewal === 'learned' ? ' (as the server said)' : ''}${closed}`
  );
}

function incrementalLines({ incremental_walks: walks }: AccountStatus, width: number): string[] {
  if (walks === null) return [];
  const late =
    walks.late === 0
      ? ''
      : `; ${plural(walks.late, 'record')} of the last 30 days seen by full refreshes only`;
  const text =
    `Archives: ${plural(walks.slices, 'slice')} refreshed incrementally, ${plural(walks.pages_saved, 'page')} saved, ` +
    `oldest full refresh ${walks.oldest_full_refresh}${late}`;
  return wrap(text, width, '  ');
}

function lostLines({ lost }: AccountStatus, width: number): string[] {
  const newest = lost?.dates.at(-1);
  if (lost === null || newest === undefined) return [];
  const more = lost.dates.length - 1;
  const dates = more === 0 ? newest : `${newest} and ${plural(more, 'more date')} since ${lost.dates[0]}`;
  const [first, second, ...others] = lost.streams;
  const streams = [first, second].filter((name) => name !== undefined).join(', ');
  const hidden = others.length === 0 ? '' : ` and ${plural(others.length, 'more stream')}`;
  const text = `No data for ${dates}, in ${streams}${hidden}: the API shows its own day only`;
  return wrap(text, width, '  ');
}

function unfinishedLines({ unfinished, run_date }: AccountStatus, width: number): string[] {
  if (unfinished.length === 0) return [];
  const walks = unfinished.map((slice) => `${nameOf(slice)} (${plural(slice.stored_pages, 'page')} stored)`);
  const text = `unfinished, a sync of ${run_date} goes on there: ${walks.join(', ')}`;
  return wrap(text, width, '  ! ');
}

function streamLines(
  account: AccountStatus,
  { all, width, colors }: PrintStatusOptions,
  several: boolean,
): string[] {
  // For an account without any data the headline is enough.
  if (account.streams.length === 0 || (account.published === null && !all)) return [];
  const byNeed = [...account.streams].sort(
    (a, b) => Number(needsLook(b, account)) - Number(needsLook(a, account)) || b.records - a.records,
  );
  const worst = byNeed.filter((stream) => needsLook(stream, account)).slice(0, mostOfSeveral);
  const some = byNeed.length <= mostStreams ? account.streams : byNeed.slice(0, mostStreams);
  const shown = all ? account.streams : several ? worst : some;
  if (shown.length === 0) return [];
  const head = ['stream', 'newest', 'slices', 'records', 'versions', 'last change'];
  const rows = table([head, ...shown.map(streamRow)], {
    width,
    indent: '  ',
    yields: ['versions', 'last change'],
    paint: (line, row) => {
      const stream = shown[row - 1];
      return stream !== undefined && needsLook(stream, account) ? colors.yellow(line) : line;
    },
  });
  const hidden = account.streams.filter((stream) => !shown.includes(stream));
  if (hidden.length === 0) return rows;
  const stale = hidden.filter((stream) => needsLook(stream, account)).length;
  const need = stale === 0 ? 'all up to date' : `${count(stale)} of them stale`;
  return [...rows, `  … and ${plural(hidden.length, 'more stream')}, ${need} (--all)`];
}

function needsLook(stream: StreamLine, account: AccountStatus): boolean {
  return stream.run_date !== account.published || stream.complete < stream.slices;
}

function streamRow(stream: StreamLine): Cell[] {
  const { run_date, complete, slices, records, versions, inserted, changed, vanished } = stream;
  return [
    stream.stream,
    run_date ?? 'never',
    `${count(complete)}/${count(slices)}`,
    records,
    versions,
    changeText(inserted, changed, vanished),
  ];
}

/** Counts the new, changed and vanished records of the newest run date, as `+12 ~3 -1`. */
function changeText(inserted: number, changed: number, vanished: number): string {
  return inserted + changed + vanished === 0
    ? 'none'
    : `+${count(inserted)} ~${count(changed)} -${count(vanished)}`;
}

function batchLines({ batches }: StatusReport, width: number): string[] {
  const rows = batches.map((batch): Cell[] => {
    const tookMs =
      batch.finished_at === null ? undefined : batch.finished_at.getTime() - batch.started_at.getTime();
    const took = tookMs === undefined ? '' : duration(tookMs);
    return [
      String(batch.id),
      batch.job,
      batch.run_date ?? '',
      batch.status,
      stamp(batch.started_at),
      took,
      asPlanned(batch.published_slices, batch.planned_slices, batch.planned_first_walks),
      asPlanned(batch.requests, batch.planned_requests, batch.planned_first_walks),
    ];
  });
  const head = ['batch', 'job', 'run date', 'status', 'started, UTC', 'took', 'slices', 'requests'];
  const hasLeast = batches.some((batch) => (batch.planned_first_walks ?? 0) > 0);
  return [
    ...wrap('Last batches: what came of them / what was planned before their first requests', width),
    ...table([head, ...rows], {
      width,
      indent: '  ',
      yields: ['run date', 'took', 'requests', 'slices'],
    }),
    ...(hasLeast ? wrap('+: at least; a slice that was never synced may take more', width, '  ') : []),
  ];
}

/** `286/286`, or `135/36+` where some slices were never synced. */
function asPlanned(made: number | null, planned: number | null, firstWalks: number | null): string {
  if (made === null && planned === null) return '';
  const least = (firstWalks ?? 0) > 0 ? '+' : '';
  return `${made === null ? '?' : count(made)}/${planned === null ? '?' : `${count(planned)}${least}`}`;
}

/** 0 as `today`, 1 as `yesterday`, 3 as `3 days ago`, -2 as `in 2 days`. */
function dayText(days: number): string {
  if (days < 0) return `in ${plural(-days, 'day')}`;
  if (days === 0) return 'today';
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

function backupText(backup: StatusReport['last_backup'], now: Date): string {
  if (backup === null) return 'No backup yet: airank backup FILE, or a job of kind backup';
  const { file, bytes: size, made_at } = backup;
  const hours = Math.max(0, now.getTime() - Date.parse(made_at)) / 3_600_000;
  const age =
    hours < 1
      ? 'less than an hour'
      : hours < 48
        ? plural(Math.floor(hours), 'hour')
        : plural(Math.floor(hours / 24), 'day');
  return `Last backup: ${age} ago, ${file ?? 'to stdout'}${size === null ? '' : ` (${bytes(size)})`}`;
}
