// The work of jobs that sync nothing, for workers and for `airank jobs run`.

import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type pg from 'pg';
import { backUpToFile } from '../../backup/back-up.ts';
import { configuredAccount } from '../../config/names.ts';
import { systemClock } from '../../core/clock.ts';
import { ConfigError, messageOf } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { runDateIn } from '../../core/run-date.ts';
import { plural } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import type { Period } from '../../reporting/dashboard/charts/chart.ts';
import { readAssets } from '../../reporting/dashboard/document/html-document.ts';
import {
  type WrittenDashboard,
  writeDashboards,
} from '../../reporting/dashboard/document/write-dashboards.ts';
import { createPageSource } from '../../reporting/dashboard/read/page-source.ts';
import { readShownScopes } from '../../reporting/dashboard/read/read-overview.ts';
import { openReader } from '../../reporting/reader/open-reader.ts';
import { readClientsToReport } from '../../reporting/report/clients.ts';
import {
  clientsOf,
  countOf,
  type Outcome,
  outcomeJson,
  produceAll,
} from '../../reporting/report/produce-report.ts';
import { folderOf, readReportOptions } from '../../reporting/report/report-options.ts';
import type { BackupNote } from '../../status/job-runs.ts';
import { createLedgerOf } from '../../store/budget/ledger.ts';
import { findLogs } from '../../writes/logs/open-log.ts';
import { type PushSummary, pushJson, pushLogs, readStripPrefix, usualPush } from '../../writes/push-logs.ts';
import { withPoster } from '../../writes/send.ts';
import type { BackupJob, DashboardJob, PushLogsJob, ReportJob } from '../define-job.ts';
import { patternOf } from '../schedule/job-shape.ts';
import { zoneOf } from '../schedule/overdue.ts';
import type { KindResult, KindWork } from '../schedule/run-job.ts';
import type { CurrentSettings } from '../schedule/share-settings.ts';

const mostNamed = 5;

interface KindDeps extends CurrentSettings {
  readonly logger: Logger;
  readonly pool: pg.Pool;
  readonly db: Executor;
  readonly env: NodeJS.ProcessEnv;
  readonly onOutcome?: (
    outcome: Outcome,
    period: Period,
    place: { readonly done: number; readonly of: number },
  ) => void;
}

const readerOf = ({ config, pool: warehouse }: Pick<KindDeps, 'config' | 'pool'>) =>
  openReader({
    ...{ readerUrl: config.readerUrl?.reveal(), warehouse, busyWaitMs: config.databasePatienceMs },
  });

/**
 * Writes the reports of the period that was over when the job was due into the data folder. A report that is
 * there is not made again, and whoever got it gets no other one, so a failed run goes on where it stopped.
 */
async function makeReports(
  { config, pool, db, env, onOutcome }: KindDeps,
  job: ReportJob,
  dueAt: Date | undefined,
  signal: AbortSignal,
): Promise<KindResult> {
  const wish = {
    period: job.period,
    date: undefined,
    language: job.language,
    pdf: job.pdf === true,
    mail: job.mail === true && config.smtp !== undefined,
    anyway: false,
    again: false,
    mailAgain: false,
    timeZone: zoneOf(job, config.timeZone),
  };
  const options = await readReportOptions(wish, config, env, signal, dueAt);
  const reader = await readerOf({ config, pool });
  try {
    const all = await readClientsToReport(reader.pool);
    const folder = folderOf(join(config.dataDir, 'reports'), options);
    const isMeant = fits(job);
    const clients = clientsOf(all, options.period).filter(({ account, id }) => isMeant(account, id));
    if (clients.length === 0) return { missing: nobodyText(options.period), summary: null };
    const outcomes = await produceAll(
      clients,
      {
        ...options,
        today: runDateIn(wish.timeZone, new Date()),
        pool: reader.pool,
        mail: options.mailing?.(all, db),
        fileOf: (client) => join(folder, options.fileNameOf(client)),
      },
      (outcome, done) => onOutcome?.(outcome, options.period, { done, of: clients.length }),
    );
    return {
      missing: missingText(outcomes, options.period),
      summary: outcomeJson(outcomes, options.period),
    };
  } finally {
    await reader.close();
  }
}

/** @returns a test of account and client; '' is the account itself, which a list and a pattern of clients leave out */
function fits({
  accounts,
  clients = 'all',
}: ReportJob | DashboardJob): (account: string, id: string) => boolean {
  const isLike = patternOf(clients);
  return (account, id) =>
    (!Array.isArray(accounts) || accounts.includes(account)) &&
    (!Array.isArray(clients) || clients.includes(id)) &&
    (isLike === undefined || (id !== '' && isLike(id)));
}

function firstOf(texts: readonly string[]): string {
  const hidden = texts.length - mostNamed;
  return [...texts.slice(0, mostNamed), ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('; ');
}

function nobodyText({ to }: Period): string {
  return `none of its accounts and clients was there on ${to}`;
}

/** Names only clients, streams and addresses, because it goes to webhooks. */
function missingText(outcomes: readonly Outcome[], { from, to }: Period): string | undefined {
  if (countOf(outcomes, 'empty') === outcomes.length) {
    return `every report would be empty: nothing was measured from ${from} to ${to}`;
  }
  const missing = outcomes.filter(({ state }) => state === 'failed' || state === 'withheld');
  const unsent = outcomes.filter(({ unsentTo }) => unsentTo.length > 0);
  const all = [...missing, ...unsent];
  if (all.length === 0) return undefined;
  const named = all.map(({ client, state, detail, unsentTo }) => {
    if (state === 'withheld') return `${client.key} is withheld (${detail})`;
    // The reason of a failure may quote what a server said.
    return state === 'failed'
      ? `${client.key} failed`
      : `${client.key} was not mailed to ${unsentTo.join(', ')}`;
  });
  const made = countOf(outcomes, 'written') + countOf(outcomes, 'there');
  const mails = unsent.length === 0 ? '' : `, ${unsent.length} not mailed`;
  return `${plural(missing.length, 'report')} missing, ${made} made${mails}. ${firstOf(named)}`;
}

/** Writes files for a web server, anew each time. */
async function fillFolder(
  { config, streams, logger, pool, db }: KindDeps,
  job: DashboardJob,
  signal: AbortSignal,
): Promise<KindResult> {
  const folder = await existingFolder(job);
  const assets = readAssets();
  const reader = await readerOf({ config, pool });
  const onFailure = (what: string, error: unknown) => {
    if (!signal.aborted) logger.warn({ event: 'dashboard.failed', what, reason: messageOf(error) });
  };
  try {
    const isMeant = fits(job);
    const scopes = (await readShownScopes(reader.pool)).filter(({ account, clientId }) =>
      isMeant(account, clientId),
    );
    if (scopes.length === 0) return { missing: 'none of its accounts and clients is there', summary: null };
    const source = createPageSource({
      pool: reader.pool,
      db,
      streams,
      timeZone: config.timeZone,
      onFailure,
    });
    const { language = config.language, perClient: isPerClient = false } = job;
    const files = await writeDashboards(source, {
      ...{ folder, scopes, isPerClient, assets, language, signal },
    });
    const told = files.map(({ clientKey, file, state, failedCharts }) => ({
      ...{ client_key: clientKey, file, state, failed_charts: failedCharts },
    }));
    return { missing: unwrittenText(files), summary: { files: told } };
  } finally {
    await reader.close();
  }
}

function unwrittenText(files: readonly WrittenDashboard[]): string | undefined {
  if (files.length > 0 && files.every(({ state }) => state === 'empty')) return 'nothing is published yet';
  const faults = files.flatMap(({ file, state, failedCharts }) => {
    if (state === 'failed') return [`${file} was not written`];
    return failedCharts.length === 0 ? [] : [`${file} is without ${failedCharts.join(', ')}`];
  });
  return faults.length === 0 ? undefined : firstOf(faults);
}

/** Sends what is new in the job's logs, without waiting for a limit. */
async function sendLogs(
  { config, logger, pool, db }: KindDeps,
  job: PushLogsJob,
  signal: AbortSignal,
): Promise<KindResult> {
  const [named] = Array.isArray(job.accounts) ? job.accounts : [];
  const account = configuredAccount(config.accounts, named);
  const { paths, missing } = await findLogs(job.files, process.cwd());
  const { anonymizeIp = false, unknown = 'report' } = job;
  const stripPrefix = readStripPrefix(job.stripPrefix);
  const options = { ...usualPush, anonymizeIp, unknown, stripPrefix, account: account.name, job: job.name };
  const summary = await withPoster({ config, logger }, account, createLedgerOf(db, config), (poster) =>
    pushLogs(
      {
        ...{ config, clock: systemClock, pool, db, poster, purpose: 'job', signal },
        ...{ onBusy: () => undefined, standardInput: nothing() },
      },
      paths,
      options,
    ),
  );
  signal.throwIfAborted();
  return { missing: missingOf(summary, missing), summary: pushJson(withoutFolders(summary)) };
}

function withoutFolders(summary: PushSummary): PushSummary {
  return {
    ...summary,
    notReached: summary.notReached.map((path) => basename(path)),
    failed: summary.failed.map(({ path, error }) => ({ path: basename(path), error })),
  };
}

/** Lists what the push lacks. Uploads that wait for a limit are not missing: the next run sends them. */
function missingOf(
  { sources, failed, failure, stop }: PushSummary,
  notThere: readonly string[],
): string | undefined {
  const unknown = sources.reduce((sum, source) => sum + source.unknown.length, 0);
  const refused = sources.reduce((sum, source) => sum + source.refused.length, 0);
  const addressless = sources.reduce((sum, source) => sum + source.counts.no_address, 0);
  const shorter = sources.filter(({ isShorter }) => isShorter).map(({ name }) => name);
  const faults = [
    ...(failure === undefined ? [] : [messageOf(failure)]),
    ...failed.map(({ path, error }) => `${path}: ${messageOf(error)}`),
    ...notThere.map((path) => `no log at ${path}`),
    ...(unknown === 0
      ? []
      : [`${plural(unknown, 'upload')} may have arrived, outcome unknown (see airank push writes)`]),
    ...(stop?.kind === 'outage' ? ['the outcome of two in a row is unknown, so nothing more was sent'] : []),
    ...(refused === 0 ? [] : [`${plural(refused, 'upload')} refused (see airank push writes)`]),
    ...(addressless === 0
      ? []
      : [`${plural(addressless, 'line')} without an address (airank push logs shows what helps)`]),
    ...shorter.map((name) => `${name} begins like a log that was sent but is shorter`),
  ];
  return faults.length === 0 ? undefined : faults.join('; ');
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

const ownFile = /^airank-\d{4}-\d{2}-\d{2}\.gz$/;

async function backUpIntoFolder(
  { config, pool }: KindDeps,
  job: BackupJob,
  signal: AbortSignal,
): Promise<KindResult> {
  const folder = await existingFolder(job);
  const file = join(folder, `airank-${runDateIn(zoneOf(job, config.timeZone), new Date())}.gz`);
  const { header, bytes } = await backUpToFile(pool, file, file, () => signal.throwIfAborted());
  const backup: BackupNote = { file, bytes, made_at: header.made_at };
  return { missing: undefined, summary: { backup, removed: await removeOlder(folder, job.keep) } };
}

/** Does not make the folder: it may be a disc that is not mounted. */
async function existingFolder(job: BackupJob | DashboardJob): Promise<string> {
  const folder = resolve(job.folder);
  const isThere = await stat(folder)
    .then((found) => found.isDirectory())
    .catch(() => false);
  if (isThere) return folder;
  throw new ConfigError([
    `Expected the folder of job ${job.name} to exist, got none at "${folder}". Create it on the machine of the worker, or mount it`,
  ]);
}

/** Runs only once the new backup is whole. Files of other names stay. */
async function removeOlder(folder: string, keep: number | undefined): Promise<readonly string[]> {
  if (keep === undefined) return [];
  const older = (await readdir(folder))
    .filter((name) => ownFile.test(name))
    .sort()
    .reverse()
    .slice(keep);
  for (const name of older) await rm(join(folder, name), { force: true });
  return older;
}

export function kindWork(deps: KindDeps): KindWork {
  return async (job, dueAt, signal) => {
    switch (job.kind) {
      case 'report':
        return await makeReports(deps, job, dueAt, signal);
      case 'dashboard':
        return await fillFolder(deps, job, signal);
      case 'push-logs':
        return await sendLogs(deps, job, signal);
      case 'backup':
        return await backUpIntoFolder(deps, job, signal);
    }
  };
}
