// airank demo: a month of every stream of a few clients, on this machine alone, within a minute or so.

import { join } from 'node:path';
import { checkAccount } from '../../alerts/check-account.ts';
import { Secret } from '../../config/config.ts';
import { systemClock } from '../../core/clock.ts';
import { ConfigError, messageOf, WarehouseError } from '../../core/errors.ts';
import { createLogger } from '../../core/logger.ts';
import { addDays, type RunDate, runDateIn } from '../../core/run-date.ts';
import { count, plural } from '../../core/text.ts';
import { type DemoLock, recreateDatabase, takeDemoLock } from '../../db/demo-lock.ts';
import { openEmbeddedPostgres } from '../../db/embedded/open.ts';
import type { Language } from '../../reporting/dashboard/charts/chart.ts';
import { readAssets } from '../../reporting/dashboard/document/html-document.ts';
import { openReader } from '../../reporting/reader/open-reader.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { type ClientRank, readRanks, readStorageFacts, type StorageFacts } from '../../status/demo-report.ts';
import { runSync } from '../../sync/run/run.ts';
import type { BatchSummary } from '../../sync/run/summary.ts';
import { pushLogs } from '../../writes/push/push-logs.ts';
import { pushOptions } from '../../writes/push/push-summary.ts';
import { withPoster } from '../../writes/with-writes.ts';
import { demoDatabase, type OpenWarehouse, type Settings, type Terminal, withWarehouse } from '../context.ts';
import { defineCommand, numberFlag } from '../define-command.ts';
import { bytes, duration, table } from '../print/table.ts';
import { wrap } from '../print/words.ts';
import { noLimit, readLocalSettings } from '../settings.ts';
import { writeDashboard } from './dashboard-page.ts';
import { summaryLines } from './sync-command.ts';

/** A small line of a figure over days, and its change. */
const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** One character a value, from the lowest to the highest; a gap where there is none. */
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

/** The end of a demo: what is now known of every client, what it took, and where to look further. */
export interface DemoReport {
  readonly from: string;
  readonly to: string;
  readonly dates: number;
  readonly requests: number;
  readonly duration_ms: number;
  readonly storage: StorageFacts;
  readonly ranks: readonly ClientRank[];
  /** The file to look at; null: it could not be written, as was said. */
  readonly dashboard: string | null;
}

const longestName = 22;
const longestTrend = 30;

export function demoLines(report: DemoReport, width: number): string[] {
  const { storage } = report;
  const times = storage.copy_bytes / Math.max(storage.version_bytes, 1);
  const trend = plural(Math.min(report.dates, longestTrend), 'day');
  return [
    `AI Rank by client on ${report.to} (bi.rank_latest; comparable points only)`,
    '',
    ...table([['client', '  now', '7 days', '28 days', 'verdict', trend], ...report.ranks.map(clientRow)], {
      width,
      indent: '  ',
      yields: [trend],
    }),
    '',
    ...wrap(
      `${plural(report.dates, 'run date')} in ${duration(report.duration_ms)}, ${plural(report.requests, 'request')}. ` +
        `${plural(storage.records, 'record')} ${storage.records === 1 ? 'is' : 'are'} current; ${plural(storage.versions, 'version')} ${storage.versions === 1 ? 'holds' : 'hold'} the state of every date.`,
      width,
    ),
    ...wrap(
      `Versions on disc: ${bytes(storage.disc_bytes)} with indexes. The rows alone take ${bytes(storage.version_bytes)}; ` +
        `a row for each record and date (${count(storage.copies)}) would take ${bytes(storage.copy_bytes)}, ${times.toFixed(1)} times as much.`,
      width,
    ),
    '',
    'Look further:',
    ...table(
      [
        ['airank views --demo', 'every view, and what a row is'],
        ['airank export rank_trend --demo', 'one of them as CSV'],
        ['airank psql --demo', 'and there, for instance:'],
      ],
      { width, indent: '  ', head: false },
    ),
    ...queries.map((query) => `    ${query}`),
    ...(report.dashboard === null ? [] : ['', 'Open in a browser:', `  ${report.dashboard}`]),
  ];
}

/** Each fits 80 columns, and none a field of the API's. */
const queries = [
  'select client_name, change_28d, change_28d_direction from bi.rank_latest;',
  'select channel, currency_code, revenue_amount from bi.revenue;',
  'select engine, domain, count(*) from bi.citation_events group by 1, 2;',
];

function clientRow(rank: ClientRank): string[] {
  const label = rank.client_name;
  const name = [...label].length > longestName ? `${[...label].slice(0, longestName - 1).join('')}…` : label;
  const value = rank.score === null ? '–' : rank.score.toFixed(1);
  // As wide as what stands above them.
  const cells = [
    value.padStart(5),
    changeText(rank.change_7d).padStart(6),
    changeText(rank.change_28d).padStart(7),
  ];
  return [name, ...cells, rank.change_28d_direction ?? '–', trendLine(rank.trend.slice(-longestTrend))];
}

/** On the last dates alerts are looked for, as after any sync. */
const alertDays = 10;

export const command = defineCommand({
  about: 'see it work here: 30 run dates of five clients; needs no key',
  flags: {
    '--days <number>': { about: 'run dates, the last of them today', default: '30' },
    '--clients <number>': { about: 'clients of the local API', default: '5' },
    '--language <language>': { about: 'of the dashboard; default: AIRANK_LANGUAGE', choices: ['en', 'es'] },
    '--json': 'print the summary as JSON on stdout',
  },
  help: `
Makes the database airank_demo of the embedded Postgres anew each time; other
data is not touched, and settings of a real API or database are not used. The
dashboard is written beside its data, and its path printed last.

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

/** Undefined: it was stopped, or a run failed and said so. */
async function runDemo(
  terminal: Terminal,
  options: { days: number; clients: number; language: Language | undefined },
): Promise<DemoReport | undefined> {
  const settings = readLocalSettings(terminal);
  const log = (line: string) => terminal.stderr.write(`${line}\n`);
  const { dataDir, timeZone } = settings.config;
  const to = runDateIn(timeZone, new Date());
  const from = addDays(to, 1 - options.days);
  const startedAt = Date.now();
  // Held until the end, so that the server does not stop and start in between.
  const server = await openEmbeddedPostgres({ dataDir, database: 'postgres', log, signal: terminal.signal });
  let lock: DemoLock | undefined;
  try {
    lock = await takeDemoLock(server.url, demoDatabase);
    if (lock === undefined) {
      throw new WarehouseError(
        `Another demo is running on the Postgres in ${dataDir}: both would make the database ${demoDatabase} anew. ` +
          'Wait until it ends or stop it, or set another AIRANK_DATA_DIR',
      );
    }
    await recreateDatabase(server.url, demoDatabase);
    const sandbox = await startSandbox({
      clients: options.clients,
      date: from,
      // Two periods of 28 days are nearly whole at the end, so that the client that falls is seen to; each week more of
      // answers is read again on every date.
      asked: addDays(from, -21),
      perMinute: noLimit,
      perDay: noLimit,
      gzip: false,
    });
    try {
      log(
        `A local API with ${plural(options.clients, 'client')} at ${sandbox.url}, Postgres ${server.version} in ${dataDir}`,
      );
      const demo = demoSettings(settings, sandbox, terminal);
      return await withWarehouse(terminal, demo, {}, async (warehouse) => {
        const requests = await syncDates(terminal, demo, warehouse, sandbox, { from, to });
        if (requests === undefined) return undefined;
        await pushVisits(terminal, demo, warehouse, sandbox, to);
        const storage = await readStorageFacts(warehouse.db, to);
        const ranks = await readRanks(warehouse.db, { from, to });
        const dashboard = await writeDemoDashboard(terminal, demo, warehouse, options.language);
        const took = Date.now() - startedAt;
        return { from, to, dates: options.days, requests, duration_ms: took, storage, ranks, dashboard };
      });
    } finally {
      await sandbox.close();
    }
  } finally {
    await lock?.release();
    await server.close();
  }
}

/** Its path; null: it was not to be, which ends no demo. */
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
    terminal.stderr.write(`The dashboard was not written: ${messageOf(error)}\n`);
    return null;
  }
}

function demoSettings(settings: Settings, sandbox: Sandbox, terminal: Terminal): Settings {
  const reached = { baseUrl: new URL(sandbox.url), apiKey: new Secret(sandbox.keys[0] ?? '') };
  const accounts = settings.config.accounts.map((account) => ({ ...account, ...reached }));
  const write = (line: string) => terminal.stderr.write(line);
  // One line a date shows the progress, and the summary of a run that failed says why.
  const level = terminal.env['AIRANK_LOG_LEVEL'] ?? 'silent';
  const logger = createLogger({ level, format: settings.config.logFormat, secrets: [], write });
  return { ...settings, config: { ...settings.config, accounts }, logger };
}

/** Requests it took; undefined: stopped or failed. */
async function syncDates(
  terminal: Terminal,
  settings: Settings,
  warehouse: OpenWarehouse,
  sandbox: Sandbox,
  dates: { from: RunDate; to: RunDate },
): Promise<number | undefined> {
  const { config, logger, streams } = settings;
  const { pool, db, ledger } = warehouse;
  const deps = { config, pool, db, ledger, clock: systemClock, logger, emit: () => undefined };
  const clientsStream = streams.find((stream) => stream.name === 'clientes');
  let requests = 0;
  for (let runDate = dates.from; runDate <= dates.to; runDate = addDays(runDate, 1)) {
    sandbox.setDate(runDate);
    const summary = await runSync(deps, {
      job: 'demo',
      runDate,
      accounts: config.accounts,
      streams,
      clientsStream,
      clientIds: undefined,
      again: false,
      walk: 'full',
      signal: terminal.signal,
      stop: terminal.signal,
    });
    if (summary.status !== 'complete') {
      const lines = terminal.signal.aborted ? ['Stopped. airank demo begins anew.'] : summaryLines(summary);
      terminal.stderr.write(`${lines.join('\n')}\n`);
      return undefined;
    }
    terminal.stderr.write(`${dateLine(summary)}\n`);
    if (runDate >= addDays(dates.to, -alertDays)) {
      for (const { name } of config.accounts) await checkAccount({ db, pool, ...config }, name, []);
    }
    requests += summary.accounts.reduce((sum, account) => sum + account.requests, 0);
  }
  terminal.stderr.write('\n');
  return requests;
}

const loggedDays = 30;

/** The log of a month, so that there are visits of crawlers. What keeps it from being sent ends no demo. */
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
  const listener = { onSource: () => undefined, onReject: () => undefined };
  const { failure } = await withPoster(settings, account, ledger, (poster) =>
    pushLogs(
      {
        ...{ config, clock: systemClock, pool, db, poster, purpose: 'people', signal },
        ...{ onBusy: () => undefined, standardInput: lines() },
      },
      ['-'],
      pushOptions({ account: account.name, format: 'vhost_combined' }),
      listener,
    ),
  );
  if (failure !== undefined) terminal.stderr.write(`The log was not sent: ${messageOf(failure)}\n`);
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
