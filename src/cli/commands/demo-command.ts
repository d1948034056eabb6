// airank demo: a month of every stream of a few clients, on this machine alone, within a minute or so.

import { join } from 'node:path';
import { checkAccount } from '../../alerts/check-account.ts';
import { Secret } from '../../config/config.ts';
import { systemClock } from '../../core/clock.ts';
import { ConfigError, messageOf, WarehouseError } from '../../core/errors.ts';
import { createLogger } from '../../core/logger.ts';
import { addDays, type RunDate, runDateIn } from '../../core/run-date.ts';
import { bytes, count, cutText, duration, plural } from '../../core/text.ts';
import { type DemoLock, recreateDatabase, takeDemoLock } from '../../db/demo-lock.ts';
import { openEmbeddedPostgres } from '../../db/embedded/open.ts';
import type { SyncJob } from '../../jobs/define-job.ts';
import { isSyncJob } from '../../jobs/schedule/job-shape.ts';
import { loadConfiguredJobs } from '../../jobs/schedule/load-jobs.ts';
import { runJob } from '../../jobs/schedule/run-job.ts';
import type { Language } from '../../reporting/dashboard/charts/chart.ts';
import { readAssets } from '../../reporting/dashboard/document/html-document.ts';
import { openReader } from '../../reporting/reader/open-reader.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { type ClientRank, readRanks, readStorageFacts, type StorageFacts } from '../../status/demo-report.ts';
import { catalog } from '../../streams/catalog.ts';
import { runSync } from '../../sync/run/run.ts';
import type { BatchSummary } from '../../sync/run/summary.ts';
import { pushLogs, usualPush } from '../../writes/push-logs.ts';
import { withPoster } from '../../writes/send.ts';
import { demoDatabase, type OpenWarehouse, type Settings, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { numberFlag } from '../flags.ts';
import { bar, redraw } from '../print/redraw.ts';
import { table } from '../print/table.ts';
import { readLocalSettings, realLimits } from '../settings.ts';
import { say, type Terminal } from '../terminal.ts';
import { writeDashboard } from './dashboard-page.ts';
import { summaryLines } from './sync-command.ts';

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** Draws one character per value, from the lowest to the highest; a gap if there is no value. */
export function trendLine(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  const low = Math.min(...known);
  const range = Math.max(...known) - low;
  return values
    .map((value) => {
      if (value === null) return ' ';
      const share = range === 0 ? 0.5 : (value - low) / range;
      return bars[Math.min(Math.floor(share * bars.length), bars.length - 1)];
    })
    .join('');
}

/** `+2.3`, `-0.4`, `±0.0`; a dash where there is nothing to compare with. */
export function changeText(change: number | null): string {
  if (change === null) return '–';
  const text = change.toFixed(1);
  if (Number(text) === 0) return '±0.0';
  return text.startsWith('-') ? text : `+${text}`;
}

export interface DemoReport {
  readonly from: string;
  readonly to: string;
  readonly dates: number;
  readonly requests: number;
  /** Requests of the last date, which the nightly job made. */
  readonly last_requests: number;
  readonly duration_ms: number;
  readonly storage: StorageFacts;
  readonly ranks: readonly ClientRank[];
  /** Null: it could not be written, and stderr says why. */
  readonly dashboard: string | null;
}

const longestName = 22;
const longestTrend = 30;

/** `26 Nov` */
function dayOf(date: string): string {
  return new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

export function demoLines(report: DemoReport, width: number): string[] {
  const { ranks, from, to, dates, last_requests: requests, storage } = report;
  const days = Math.min(dates, longestTrend);
  const fallen = ranks.filter(({ change_28d_direction: direction }) => direction === 'fell').length;
  const first = dayOf(addDays(to as RunDate, 1 - days));
  const gap = days - first.length - dayOf(to).length;
  const trend = gap < 1 ? dayOf(to) : `${first}${' '.repeat(gap)}${dayOf(to)}`;
  const usual = Math.max(...ranks.map(({ usual_change: change }) => change ?? 0));
  return [
    `${fallen} of ${plural(ranks.length, 'client')} ${fallen === 1 ? 'needs' : 'need'} attention (newest AI Rank, from bi.rank_latest)`,
    '',
    ...table([['client', ' now', '28 days', 'verdict', trend], ...ranks.map(clientRow)], {
      width,
      indent: '  ',
      yields: [trend],
    }),
    ...(usual === 0
      ? []
      : [`  usual: up to ${usual.toFixed(1)} points in 28 days. A gap: no comparable point that day.`]),
    '',
    `With a real key such a night takes ${plural(requests, 'request')}: ${timeAtLimit(requests)} at ` +
      `${realLimits.perMinute} a minute, out of ${count(realLimits.perDay)} a day. ` +
      `${dates === 1 ? 'It takes' : `The ${dates} nights, from ${dayOf(from)} on, take`} ${bytes(storage.disc_bytes)} of disc.`,
    '',
    ...(report.dashboard === null ? [] : [`  Open in a browser: ${report.dashboard}`]),
    '  airank views rank_trend --demo    one view: columns, units, rows',
    '  airank psql --demo                SQL over all of it',
    '  airank init                       now with your own key',
  ];
}

/** A full minute's requests go out at once; those beyond them wait for the next minute. */
function timeAtLimit(requests: number): string {
  const minutes = requests / realLimits.perMinute;
  if (minutes <= 1) return 'less than a minute';
  return `about ${minutes < 10 ? minutes.toFixed(1) : Math.round(minutes)} minutes`;
}

function clientRow(rank: ClientRank): string[] {
  const value = rank.score === null ? '–' : rank.score.toFixed(1);
  // The same width as the heading above.
  const cells = [value.padStart(4), changeText(rank.change_28d).padStart(7)];
  return [
    cutText(rank.client_name, longestName),
    ...cells,
    rank.change_28d_direction ?? '–',
    trendLine(rank.trend.slice(-longestTrend)),
  ];
}

/** Alerts are checked after each of this many last dates. */
const alertDays = 10;

export const command = defineCommand({
  about: 'see it work here: 30 run dates of five clients; needs no key',
  flags: {
    '--days <number>': { about: 'run dates, the last of them today', default: '30' },
    '--clients <number>': { about: 'number of clients', default: '5' },
    '--language <language>': { about: 'of the dashboard; default: AIRANK_LANGUAGE', choices: ['en', 'es'] },
    '--json': 'print the summary as JSON on stdout',
  },
  help: `
Recreates the database airank_demo of the embedded Postgres each time. Other
data is not touched, and settings of a real API or database are not used. The
dashboard is written next to its data, and its path printed last.

Examples:
  $ airank demo
  $ airank demo --days 90 --clients 12
  $ airank psql --demo`,
  async run({ terminal, flags, print, width }) {
    const faults: string[] = [];
    const days = numberFlag('--days', flags.days, { min: 1, max: 366 }, faults);
    const clients = numberFlag('--clients', flags.clients, { min: 0, max: 500 }, faults);
    if (days === undefined || clients === undefined) throw new ConfigError(faults);
    const report = await runDemo(terminal, { days, clients, language: flags.language });
    if (report === undefined) return 1;
    print(report, demoLines(report, width));
    return 0;
  },
});

/** Runs the demo; undefined: it was stopped, or a run failed and said so. */
async function runDemo(
  terminal: Terminal,
  options: { days: number; clients: number; language: Language | undefined },
): Promise<DemoReport | undefined> {
  const settings = readLocalSettings(terminal);
  const log = (line: string) => say(terminal, line);
  const { dataDir, timeZone } = settings.config;
  const to = runDateIn(timeZone, new Date());
  const from = addDays(to, 1 - options.days);
  const startedAt = Date.now();
  // Hold the server until the end, so that it does not stop and start in between.
  const server = await openEmbeddedPostgres({ dataDir, database: 'postgres', log, signal: terminal.signal });
  let lock: DemoLock | undefined;
  try {
    lock = await takeDemoLock(server.url, demoDatabase);
    if (lock === undefined) {
      throw new WarehouseError(
        `Another demo is running on the Postgres in ${dataDir}: both would recreate the database ${demoDatabase}. ` +
          'Wait until it ends, stop it, or set another AIRANK_DATA_DIR',
      );
    }
    await recreateDatabase(server.url, demoDatabase);
    const sandbox = await startSandbox({
      clients: options.clients,
      date: from,
      // Nearly fills two periods of 28 days, so that the falling client shows as falling. Not more: each further week
      // of answers is read again on every date.
      asked: addDays(from, -21),
      perMinute: unlimited.perMinute,
      perDay: unlimited.perDay,
    });
    try {
      log(
        `Postgres ${server.version} of ${dataDir}, the API as a local server with ${plural(options.clients, 'client')}.\n` +
          'No key is needed; nothing leaves this machine.\n',
      );
      const demo = demoSettings(settings, sandbox, terminal);
      return await withWarehouse(terminal, demo, {}, async (warehouse) => {
        const nights = showNights(terminal.stderr, { from, to, days: options.days });
        const synced = await syncDates(terminal, demo, warehouse, sandbox, { from, to }, nights.add).finally(
          nights.stop,
        );
        if (synced === undefined) return undefined;
        await pushVisits(terminal, demo, warehouse, sandbox, to);
        const storage = await readStorageFacts(warehouse.db, to);
        const ranks = await readRanks(warehouse.db, { from, to });
        const dashboard = await writeDemoDashboard(terminal, demo, warehouse, options.language);
        const took = Date.now() - startedAt;
        return { from, to, dates: options.days, ...synced, duration_ms: took, storage, ranks, dashboard };
      });
    } finally {
      await sandbox.close();
    }
  } finally {
    await lock?.release();
    await server.close();
  }
}

/** Writes the dashboard of the demo, and returns its path. A failure does not end the demo: null. */
async function writeDemoDashboard(
  terminal: Terminal,
  settings: Settings,
  warehouse: OpenWarehouse,
  language: Language | undefined,
): Promise<string | null> {
  const file = join(settings.config.dataDir, 'dashboard.html');
  try {
    const assets = readAssets();
    const reader = await openReader({ readerUrl: undefined, warehouse: warehouse.pool });
    try {
      await writeDashboard(
        terminal,
        { reader, warehouse, settings },
        { file, assets, ...(language && { language }) },
      );
    } finally {
      await reader.close();
    }
    return file;
  } catch (error) {
    say(terminal, `The dashboard was not written: ${messageOf(error)}`);
    return null;
  }
}

/** Far beyond what this machine can do: the demo shows the warehouse, not the wait for a limit. */
const unlimited = { perMinute: 1_000_000, perDay: 1_000_000, reservePercent: 0 };

function demoSettings(settings: Settings, sandbox: Sandbox, terminal: Terminal): Settings {
  const reached = { baseUrl: new URL(sandbox.url), apiKey: new Secret(sandbox.keys[0] ?? ''), ...unlimited };
  const accounts = settings.config.accounts.map((account) => ({ ...account, ...reached }));
  const write = (line: string) => terminal.stderr.write(line);
  // One line a date shows the progress, and the summary of a run that failed says why.
  const level = terminal.env['AIRANK_LOG_LEVEL'] ?? 'silent';
  const logger = createLogger({ level, format: settings.config.logFormat, secrets: [], write });
  return { ...settings, config: { ...settings.config, accounts }, logger };
}

/** Syncs date after date; undefined: stopped, or one failed. */
async function syncDates(
  terminal: Terminal,
  settings: Settings,
  warehouse: OpenWarehouse,
  sandbox: Sandbox,
  dates: { from: RunDate; to: RunDate },
  onDate: (summary: BatchSummary) => void,
): Promise<Pick<DemoReport, 'requests' | 'last_requests'> | undefined> {
  const { config, logger, streams } = settings;
  const { pool, db, ledger } = warehouse;
  const { signal } = terminal;
  const deps = { config, pool, db, ledger, clock: systemClock, logger, emit: () => undefined };
  const clientsStream = streams.find((stream) => stream.name === 'clientes');
  const ways = {
    ...{ accounts: config.accounts, streams, clientsStream },
    clientIds: undefined,
    again: false,
  };
  const job = await nightlyJob();
  let requests = 0;
  let last = 0;
  for (let runDate = dates.from; runDate <= dates.to; runDate = addDays(runDate, 1)) {
    sandbox.setDate(runDate);
    const summary =
      runDate === dates.to
        ? await runJob(deps, { job, streams, runDate, signal })
        : await runSync(deps, { ...ways, job: 'demo', runDate, walk: 'full', signal });
    if (summary?.status !== 'complete') {
      const lines = signal.aborted
        ? ['Stopped. airank demo starts over.']
        : summary && summaryLines(summary, config.timeZone);
      say(terminal, lines?.join('\n') ?? `Another process runs ${job.name}.`);
      return undefined;
    }
    onDate(summary);
    if (runDate >= addDays(dates.to, -alertDays)) {
      for (const { name } of config.accounts) await checkAccount({ db, pool, ...config }, name, []);
    }
    last = summary.accounts.reduce((sum, account) => sum + account.requests, 0);
    requests += last;
  }
  say(terminal, `The last night was synced by jobs/${job.name}.ts, the job that will sync yours.\n`);
  return { requests, last_requests: last };
}

/** A bar at a terminal, a line a date elsewhere. */
function showNights(
  stderr: NodeJS.WriteStream,
  { from, to, days }: { readonly from: RunDate; readonly to: RunDate; readonly days: number },
) {
  let done = 0;
  const { draw, stop } = redraw(stderr, (width) =>
    width === undefined
      ? []
      : [
          `${plural(days, 'night')}, ${dayOf(from)} to ${dayOf(to)}  ${bar(done / days, 24)}  ${done} of ${days}`,
        ],
  );
  return {
    add: (summary: BatchSummary) => {
      done += 1;
      if (stderr.isTTY) draw();
      else stderr.write(`${dateLine(summary)}\n`);
    },
    stop,
  };
}

async function nightlyJob(): Promise<SyncJob> {
  const jobs = await loadConfiguredJobs({ jobsDir: undefined, accounts: [] }, catalog);
  const job = jobs.filter(isSyncJob).find(({ name }) => name === 'daily-snapshot');
  if (job === undefined) throw new Error('the built-in job daily-snapshot is missing');
  return job;
}

const loggedDays = 30;

/** Pushes a month of access logs, so that there are visits of crawlers. A failure does not end the demo. */
async function pushVisits(
  terminal: Terminal,
  settings: Settings,
  { pool, db, ledger }: OpenWarehouse,
  sandbox: Sandbox,
  to: RunDate,
): Promise<void> {
  const { config } = settings;
  const { signal } = terminal;
  const [account] = config.accounts;
  if (account === undefined) return;
  const lines = async function* () {
    for (let date = addDays(to, 1 - loggedDays); date <= to; date = addDays(date, 1)) {
      sandbox.setDate(date);
      yield Buffer.from(sandbox.accessLog());
    }
  };
  const { failure } = await withPoster(settings, account, ledger, (poster) =>
    pushLogs(
      {
        ...{ config, clock: systemClock, pool, db, poster, purpose: 'people', signal },
        ...{ onBusy: () => undefined, standardInput: lines() },
      },
      ['-'],
      { ...usualPush, account: account.name },
    ),
  );
  if (failure !== undefined) say(terminal, `The access log of the demo was not sent: ${messageOf(failure)}`);
}

/** `2026-07-15  2,116 records: 12 new, 61 changed, 3 vanished  0.9s`. */
function dateLine(summary: BatchSummary): string {
  const sum = (field: 'records' | 'inserted' | 'changed' | 'vanished') =>
    summary.accounts.reduce((total, account) => total + account[field], 0);
  const tookMs = Date.parse(summary.finished_at) - Date.parse(summary.started_at);
  return (
    `${summary.run_date}  ${plural(sum('records'), 'record')}: ${count(sum('inserted'))} new, ` +
    `${count(sum('changed'))} changed, ${count(sum('vanished'))} vanished  ${duration(tookMs)}`
  );
}
