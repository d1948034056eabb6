// airank status: is everything fine? The answer first, then what is not as it should be, then figures.
import { groupBy } from '../../core/group-by.ts';
import { bytes, clockIn, count, cutText, duration, momentIn, named, plural } from '../../core/text.ts';
import { atOnce, type Executor } from '../../db/database.ts';
import type { Job } from '../../jobs/define-job.ts';
import { deadlineHoursOf } from '../../jobs/schedule/incidents.ts';
import { readSchedule, type ScheduleReport } from '../../jobs/schedule/read-schedule.ts';
import {
  type AccountStatus,
  generalProblem,
  type Problem,
  problemText,
  routeless,
} from '../../status/account-status.ts';
import { type KeyedStream, readStatus, type StatusReport } from '../../status/read-status.ts';
import { driftTexts, type IncompleteSlice } from '../../status/status-report.ts';
import type { Stream } from '../../streams/stream.ts';
import type { Settings } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { runText } from '../print/progress.ts';
import { readinessLine } from '../print/readiness.ts';
import { type Cell, dimHead, table } from '../print/table.ts';
import { type Colors, colorsFor } from '../print/text.ts';
import { readSettingsAndJobs } from '../settings.ts';
import { chooseWarehouse, demoFlag } from '../use-warehouse.ts';
import { openWriteLines } from './writes-command.ts';

export const command = defineCommand({
  about: 'is everything fine: freshness, failures, budget, storage',
  flags: {
    '--all': 'every stream and failure, incidents, changed fields and record keys',
    ...demoFlag,
    '--json': 'print the status as JSON on stdout',
  },
  help: `
Needs no API key and makes no request.

Exit codes:
  0  fine: every stream of every client is complete, has no data or is being
     fetched, within its deadline (that of its job, else 2 days, or as long as
     the budget needs for all lists), and no run died
  1  anything else: nothing is known yet, streams wait for requests, a key is
     refused, or no scheduler works although jobs are due

Examples:
  $ airank status
  $ airank status --json | jq '.accounts[].streams[] | select(.stale)'`,
  async run({ terminal, flags, print, width }) {
    const found = flags.demo ? undefined : await readSettingsAndJobs(terminal, { needAccounts: false });
    const options = { orDemo: true, needViews: true };
    return await chooseWarehouse(terminal, flags, options, async (warehouse, settings) => {
      // Nothing of the demo runs by itself.
      const jobs = settings.isDemo ? [] : (found?.jobs ?? []);
      const report = await readReport(warehouse?.db, settings, jobs);
      const { timeZone } = settings.config;
      const colors = colorsFor(terminal.stdout, terminal.env);
      const lines = statusLines(report, {
        all: flags.all === true,
        width,
        colors,
        timeZone,
        now: new Date(),
      });
      const isEmpty =
        report.batches.length + report.writes.open.length === 0 &&
        report.accounts.every((account) => account.run_date === null);
      const text = isEmpty ? firstSteps(settings) : lines;
      print(
        { ...report, problems: report.problems.map(problemText) },
        settings.scrub(text.join('\n').trimEnd()),
      );
      return report.fine ? 0 : 1;
    });
  },
});

interface FullReport extends StatusReport {
  readonly schedule: ScheduleReport | null;
}

async function readReport(
  db: Executor | undefined,
  { config, streams }: Settings,
  jobs: readonly Job[],
): Promise<FullReport> {
  const now = new Date();
  const deadlineHours = (stream: Stream, account: string) => deadlineHoursOf(stream, account, jobs);
  const input = { config, streams, deadlineHours, now };
  if (db === undefined) return { ...(await readStatus(db, input)), schedule: null };
  const [status, schedule] = await atOnce(db, (one) =>
    Promise.all([readStatus(one, input), readSchedule(one, { config, jobs, streams, now })]),
  );
  const problems = [...status.problems, ...schedule.problems.map((text) => generalProblem(text, ''))];
  return { ...status, fine: problems.length === 0, problems, schedule };
}

function firstSteps({ config }: Settings): string[] {
  const place =
    config.databaseUrl === undefined ? `the embedded Postgres in ${config.dataDir}` : 'DATABASE_URL';
  const key = config.accounts.length > 0 ? [] : ['airank init     asks for address and key, and writes .env'];
  return [
    `No data yet in ${place}.`,
    '',
    ...[
      ...key,
      'airank doctor   checks key, clock and database',
      'airank sync     fetches the first run date',
    ].map((step) => `    ${step}`),
    '',
    'To see it work without a key: airank demo, and then airank status --demo',
  ];
}

interface Screen {
  readonly all: boolean;
  readonly width: number;
  readonly colors: Colors;
  readonly timeZone: string;
  readonly now: Date;
}

const mostProblems = 8;
const mostAccounts = 6;
const mostNames = 4;
const mostRuns = 3;

export function statusLines(report: FullReport, screen: Screen): string[] {
  const { colors, all, timeZone } = screen;
  const [account, another] = report.accounts;
  return [
    ...verdictLines(report, screen),
    '',
    ...(account !== undefined && another === undefined
      ? accountRows(account, timeZone)
      : [...accountsTable(report.accounts, screen), '']),
    ...[...rowsOf(report, screen.now)].map(([name, value]) => row(name, value)),
    '',
    ...runsTable(report, screen),
    ...noteLines(report, screen).map((text) => `${colors.yellow('!')} ${text}`),
    ...(all ? detailLines(report, screen) : []),
    ...stepLines(report, colors),
  ].filter((line, index, lines) => line !== '' || (lines[index - 1] ?? '') !== '');
}

const row = (name: string, value: string) => `  ${name.padEnd(10)}  ${value}`;

/** Returns the oldest published date of each stream that is still expected. */
function newestDates(accounts: readonly AccountStatus[]): readonly string[] {
  const dates = new Map<string, string>();
  for (const { streams } of accounts)
    for (const { stream, run_date: date, ended } of streams)
      if (date !== null && !ended && date < (dates.get(stream) ?? '9999')) dates.set(stream, date);
  return [...dates.values()].sort();
}

/** Says that today's data is there, or why not and when it goes on. */
function verdictLines({ fine, problems, accounts, today }: FullReport, screen: Screen): string[] {
  const { colors, width, all } = screen;
  const dates = newestDates(accounts);
  const now = dates.filter((date) => date === today).length;
  if (fine) {
    const text =
      now === dates.length
        ? `Fine: all ${plural(now, 'stream')} are of today, ${today}`
        : `Fine: nothing is late; ${count(now)} of ${plural(dates.length, 'stream')} ${now === 1 ? 'is' : 'are'} of today, ${today}, the oldest of ${dates[0]}`;
    return [colors.green(`✓ ${text}`)];
  }
  const late = accounts.flatMap(({ lacking }) => [...new Set(lacking.map(({ stream }) => stream))]);
  const known = accounts.flatMap(({ lacking, streams }) => {
    const expected = streams.flatMap((one) => (one.ended ? [] : [one.stream]));
    return [...new Set([...expected, ...lacking.map(({ stream }) => stream)])];
  });
  const several = accounts.length > 1;
  const rows = problems.map(({ account, streams, kind, text }) => {
    const sign = kind === 'waits' ? colors.yellow('!') : colors.red('✗');
    const whose = several && account !== '' ? [account] : [];
    const names = streams.length === 0 ? [] : [named(streams, all ? streams.length : mostNames)];
    const about = [...whose, ...names].join(' / ');
    return { isGeneral: about === '', cells: [`${sign} ${about}`.trimEnd(), text] };
  });
  const shown = all ? rows : rows.slice(0, mostProblems);
  const isWaiting = problems.every(({ kind }) => kind === 'waits');
  const head = `${count(late.length)} of ${plural(known.length, 'stream')} ${late.length === 1 ? 'is' : 'are'} not complete; today is ${today}`;
  const alone =
    late.length === 0 ? [] : [isWaiting ? colors.yellow(`! ${head}`) : colors.red(`✗ ${head}`), ''];
  return [
    ...alone,
    ...table(
      shown.flatMap(({ isGeneral, cells }) => (isGeneral ? [] : [cells])),
      { width, head: false, wraps: ['0', '1'] },
    ),
    ...shown.flatMap(({ isGeneral, cells }) => (isGeneral ? [cells.join(' ')] : [])),
    ...(rows.length > shown.length ? [`  … and ${rows.length - shown.length} more (--all)`] : []),
  ];
}

function budgetText({ budget }: AccountStatus, timeZone: string, several = false): string {
  if (budget === null) return 'unknown: this account is not in the configuration';
  const { used_today: used, per_day: most, remaining_today: left, closed_until: closed } = budget;
  if (closed !== null) return `none until ${momentIn(timeZone, closed)}: the key is closed until then`;
  const until = several ? '' : ` until ${momentIn(timeZone, budget.renews_at)}`;
  return `${count(used)} of ${count(most)} used, ${count(left)} left for jobs${until}`;
}

function accountRows(account: AccountStatus, timeZone: string): string[] {
  const { runs, lost, unavailable } = account;
  const gone = groupBy(unavailable, ({ error }) => (error === null ? '' : routeless(error)));
  return [
    row('Requests', budgetText(account, timeZone)),
    ...runs.filter((run) => run.is_alive).map((run) => row('Works', runText(run, timeZone))),
    ...[...gone].map(([error, slices]) =>
      row('No data', `${named(slices.map(sliceName), mostNames)}${error === '' ? '' : `: ${error}`}`),
    ),
    ...(lost === null
      ? []
      : [
          row(
            'Lost',
            `${named([...lost.dates].reverse(), 1)} of ${named(lost.streams, 2)}: the API only shows the current day`,
          ),
        ]),
  ];
}

function sliceName({ stream, client_id: client, published }: IncompleteSlice): string {
  const name = client === '' ? stream : `${stream} (client ${client})`;
  return published === null ? name : `${name} until ${published}`;
}

/** Many accounts do not fit on a screen: those that are fine become a number. */
function accountsTable(accounts: readonly AccountStatus[], { width, all, timeZone }: Screen): string[] {
  const isOpen = (account: AccountStatus) => account.lacking.length + account.runs.length > 0;
  const shown = all
    ? accounts
    : [...accounts].sort((a, b) => Number(isOpen(b)) - Number(isOpen(a))).slice(0, mostAccounts);
  const rows = shown.map((account) => [
    account.account,
    account.published ?? 'never',
    budgetText(account, timeZone, true),
  ]);
  const hidden = accounts.filter((account) => !shown.includes(account));
  const open = hidden.filter(isOpen).length;
  return [
    ...table([['account', 'newest', 'requests'], ...rows], { width, indent: '  ', wraps: ['requests'] }),
    ...(hidden.length === 0
      ? []
      : [
          `  … and ${plural(hidden.length, 'account')}, ${open === 0 ? 'all fine' : `${open} with a problem`} (--all)`,
        ]),
  ];
}

function agoText(moment: string, now: Date): string {
  const days = Math.floor((now.getTime() - Date.parse(moment)) / 86_400_000);
  return days < 1 ? 'less than a day ago' : `${plural(days, 'day')} ago`;
}

function* rowsOf(
  { schedule, queue, views, last_backup: backup }: FullReport,
  now: Date,
): Generator<readonly [name: string, value: string]> {
  if (schedule !== null && (schedule.used || schedule.working)) {
    const due = schedule.waiting.map(({ job }) => job).join(', ');
    yield ['Scheduler', `${schedule.working ? 'works' : 'none works'}${due === '' ? '' : `; due: ${due}`}`];
  }
  const open = queue.batches.length;
  if (open > 0) yield ['Queue', `${plural(open, 'batch', 'batches')} at work: airank jobs`];
  if (views !== null) yield ['Views', readinessLine(views)];
  if (backup !== null) {
    const size = backup.bytes === null ? '' : ` (${bytes(backup.bytes)})`;
    yield ['Backup', `${agoText(backup.made_at, now)}, ${backup.file ?? 'to stdout'}${size}`];
  }
}

function runsTable({ batches }: FullReport, { width, timeZone, all, colors }: Screen): string[] {
  const rows = batches.slice(0, all ? batches.length : mostRuns).map((batch): Cell[] => {
    const { job, run_date: date, started_at: began, finished_at: ended, requests, status } = batch;
    const took = ended === null ? '' : duration(ended.getTime() - began.getTime());
    return [job, date ?? '', clockIn(timeZone, ended ?? began), took, requests ?? '', status];
  });
  if (rows.length === 0) return [];
  const head = ['last runs', 'run date', 'ended', 'took', 'requests', ''];
  return [
    ...table([head, ...rows], { width, indent: '  ', yields: ['run date'], paint: dimHead(colors) }),
    '',
  ];
}

function noteLines(
  { open_alerts: alerts, last_backup: backup, ...report }: FullReport,
  { all, timeZone }: Screen,
): string[] {
  const { drift, stale_views: stale, writes, accounts, schedule } = report;
  const untold =
    schedule?.has_channels === false && schedule.incidents.some(({ told_at: told }) => told === null);
  return [
    ...stale.map(
      ({ source, error }) =>
        `Views of ${source} do not show everything: ${error}. The next sync tries again, or: airank migrate`,
    ),
    ...openWriteLines(writes, { all, several: accounts.length > 1, timeZone }),
    ...(untold
      ? ['Nobody is told of failures: set AIRANK_WEBHOOK_URL, or alerts.to in the configuration']
      : []),
    ...(alerts === 0
      ? []
      : [`${plural(alerts, 'alert')} ${alerts === 1 ? 'is' : 'are'} open: airank alerts --open`]),
    ...(drift.length === 0 || all ? [] : [`${plural(drift.length, 'field')} changed in the data (--all)`]),
    ...(backup === null ? ['No backup yet: airank backup FILE, or a job of kind backup'] : []),
  ];
}

function stepLines({ problems }: FullReport, colors: Colors): string[] {
  const fixes = groupBy(
    problems.filter(({ fix }) => fix !== ''),
    ({ fix }) => fix,
  );
  const why = (group: readonly Problem[]) =>
    group.every(({ kind }) => kind === 'waits')
      ? 'fetches these then; not needed where the scheduler runs'
      : 'fetches only what is missing';
  return [
    '',
    ...[...fixes].map(([fix, group]) =>
      `    ${colors.cyan(fix)}    ${fix === 'airank sync' ? why(group) : ''}`.trimEnd(),
    ),
  ];
}

/** Everything else that is known, for --all. */
function detailLines(report: FullReport, screen: Screen): string[] {
  const { accounts, drift, record_keys: keyed, schedule } = report;
  const { width, timeZone, colors } = screen;
  const several = accounts.length > 1;
  const options = { width, indent: '  ', paint: dimHead(colors) };
  const streams = accounts.flatMap(({ account, streams }) =>
    streams.map((one): Cell[] => [
      several ? `${account} / ${one.stream}` : one.stream,
      one.run_date ?? 'never',
      `${count(one.complete)}/${count(one.slices)}`,
      one.records,
      one.versions,
      `+${count(one.inserted)} ~${count(one.changed)} -${count(one.vanished)}`,
    ]),
  );
  const failed = accounts.flatMap((account) =>
    account.failed.map((one) => `${colors.red('✗')} ${sliceName(one)}: ${one.error ?? 'unknown'}`),
  );
  const changed = drift.map((one): Cell[] => [
    one.source,
    driftTexts[one.kind],
    one.type === '' ? one.path : `${one.path} (${one.type})`,
    one.first_run_date,
    one.last_run_date,
    cutText(one.example ?? '', 30),
  ]);
  const incidents = (schedule?.incidents ?? []).map(({ cause, since, over_at: over, told_at: told }) => [
    cause,
    clockIn(timeZone, since),
    over === null ? '' : clockIn(timeZone, over),
    told === null ? 'not yet' : clockIn(timeZone, told),
  ]);
  const section = (head: string[], rows: readonly Cell[][], more: object = {}) =>
    rows.length === 0 ? [] : ['', ...table([head, ...rows], { ...options, ...more })];
  return [
    ...(failed.length === 0 ? [] : ['', ...failed]),
    ...section(['stream', 'newest', 'lists', 'records', 'versions', 'last change'], streams, {
      yields: ['versions', 'last change'],
    }),
    ...section(['incident', 'since', 'over', 'told'], incidents, { wraps: ['incident'] }),
    ...section(['changed data', 'what', 'field', 'first', 'last', 'example'], changed, {
      wraps: ['what', 'field', 'example'],
      yields: ['example', 'first'],
    }),
    ...section(
      ['stream', 'list', 'key'],
      keyed.map((one) => [one.stream, one.list_key ?? '', describeKey(one.record_key)]),
    ),
  ];
}

/** `id`, `fecha + metodo`, `the content`. */
function describeKey(key: KeyedStream['record_key']): string {
  if (key === null || key === undefined) return 'not known yet';
  if (key.length === 0) return 'the content';
  return key.map((path) => (path.length === 0 ? 'the record itself' : path.join('.'))).join(' + ');
}
