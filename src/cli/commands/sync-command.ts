// airank sync: the main job by hand.

import { type AlertsDeps, type AlertsRun, runAlerts } from '../../alerts/run-alerts.ts';
import type { AccountConfig } from '../../config/config.ts';
import { configuredAccount } from '../../config/names.ts';
import { systemClock } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { groupBy } from '../../core/group-by.ts';
import type { Logger } from '../../core/logger.ts';
import { count, duration, momentIn, named, plural } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import { driftTexts } from '../../status/status-report.ts';
import { hasMapped, type Readiness, readReadiness } from '../../status/view-readiness.ts';
import { noteNewAccount, withoutRenamedAccounts } from '../../store/renamed-accounts.ts';
import { runSync } from '../../sync/run/run.ts';
import type { BatchSummary, RunSummary } from '../../sync/run/summary.ts';
import type { SyncDeps } from '../../sync/run/sync-options.ts';
import { type OpenWarehouse, readSettings, type Settings, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { createProgress } from '../print/progress.ts';
import { readinessLine } from '../print/readiness.ts';
import {
  judgeFlags,
  missingLists,
  ofListedClients,
  readSelection,
  readStreamNames,
  selectionFlags,
} from '../selection.ts';
import { say, show, type Terminal } from '../terminal.ts';

const mostLines = 12;
const mostClients = 4;
const mostDrift = 6;

/** Names one thing that is new in the shape of the data. */
function driftLine({ source, kind, path, type, example }: BatchSummary['drift'][number]): string {
  const field = `${source}${path === '' ? '' : `.${path}`}${type === '' ? '' : ` (${type})`}`;
  return `! ${driftTexts[kind]}: ${field}${example === null ? '' : `, as ${JSON.stringify(example)}`}`;
}

/**
 * Returns a batch's summary for people: the answer, what is missing and why, and how to go on.
 * @param views null: nobody looked at them
 */
export function summaryLines(
  summary: BatchSummary,
  timeZone: string,
  views: Readiness | null = null,
): string[] {
  const { accounts, drift, view_failures: stale, accounts_not_started: notStarted } = summary;
  return [
    ...accounts.flatMap((account) => accountLines(account, summary, accounts.length > 1)),
    ...(notStarted.length === 0 ? [] : [`! not started: ${notStarted.join(', ')}`]),
    ...stale.map(
      ({ source, error }) =>
        `! Views of ${source} do not show the newest fields yet: ${error}. The next sync, or airank migrate, tries again`,
    ),
    ...drift.slice(0, mostDrift).map(driftLine),
    ...(drift.length > mostDrift
      ? [`  … and ${count(drift.length - mostDrift)} more: airank status --all`]
      : []),
    ...(views === null ? [] : [`  ${readinessLine(views)}`]),
    ...goOn(summary, timeZone),
  ];
}

function accountLines(account: RunSummary, summary: BatchSummary, several: boolean): string[] {
  const { slices, streams, failures, warnings, ended, unavailable, deferred } = account;
  const missing = slices.failed + slices.stopped + slices.not_started;
  const took = duration(Date.parse(summary.finished_at) - Date.parse(summary.started_at));
  const of = `${count(streams.complete)} of ${plural(streams.all, 'stream')}`;
  const broken = new Set(failures.map(({ stream }) => stream)).size;
  const whose = several ? `${account.account}: ` : '';
  const { run_date: date } = account;
  const isOld = account.requests === 0 && missing + slices.deferred === 0;
  const verdict =
    missing > 0 || ended !== null
      ? `✗ ${whose}${date} is not complete: ${of} published, ${count(broken)} failed`
      : slices.deferred > 0
        ? `! ${whose}${date} is not complete yet: ${of} published, the rest waits for requests`
        : isOld
          ? `✓ ${whose}${date} was complete already; nothing was requested`
          : `✓ ${whose}${date} is complete: ${plural(streams.all, 'stream')}, ${plural(account.requests, 'request')} in ${took}`;
  const sliceOf = (one: { readonly stream: string; readonly client_id: string }) =>
    `${one.stream}${one.client_id === '' ? '' : ` (client ${one.client_id})`}`;
  const alike = groupBy(failures, ({ stream, error }) => `${stream}: ${error}`);
  const shown = ended !== null ? [ended] : [...alike.values()].map(failureText);
  const notes = warnings.map(
    (one) => `${sliceOf(one)}: ${one.message}${one.detail === null ? '' : `. ${one.detail}`}`,
  );
  return [
    verdict,
    ...(isOld
      ? []
      : [
          `  ${plural(account.records, 'record')}: ${count(account.inserted)} new, ${count(account.changed)} changed, ` +
            `${count(account.vanished)} vanished; ${plural(account.remaining_today, 'request')} left for jobs`,
        ]),
    ...shown.slice(0, mostLines).map((text) => `✗ ${text}`),
    ...(shown.length > mostLines ? [`  … and ${count(shown.length - mostLines)} more: airank status`] : []),
    ...(deferred.length === 0 ? [] : [`  wait: ${deferred.map(({ stream }) => stream).join(', ')}`]),
    ...(unavailable.length === 0 ? [] : [`  no data on this account: ${unavailable.join(', ')}`]),
    ...notes.slice(0, mostLines).map((text) => `! ${text}`),
    ...(notes.length > mostLines ? [`  … and ${count(notes.length - mostLines)} more (--json)`] : []),
  ];
}

function failureText(alike: RunSummary['failures']): string {
  const clients = alike.flatMap(({ client_id: client }) => (client === '' ? [] : [client]));
  const account = clients.length < alike.length ? 'the account, ' : '';
  const whose =
    clients.length === 0
      ? ''
      : ` (${account}${clients.length === 1 ? 'client' : 'clients'} ${named(clients, mostClients)})`;
  return `failed: ${alike[0]?.stream}${whose}: ${alike[0]?.error}`;
}

function goOn(
  { status, exit_code: exitCode, accounts, run_date: date }: BatchSummary,
  timeZone: string,
): string[] {
  const until = accounts.flatMap((account) => account.deferred_until ?? []).sort()[0];
  const from = until === undefined ? 'on the next day' : `from ${momentIn(timeZone, until)} on`;
  const waits = `  What waits is fetched first ${from}: run the same command again; not needed where the scheduler runs.`;
  switch (status) {
    case 'complete':
      return [];
    case 'deferred':
      return [waits];
    case 'stopped':
      if (accounts.some((account) => account.wrong_day !== undefined)) return [];
      return [`  Stopped. To continue, run the same command with --run-date ${date}.`];
    case 'failed': {
      if (exitCode === 2) return [];
      const again = accounts
        .flatMap(({ failures }) => failures.flatMap((one) => one.looks_again_at ?? []))
        .sort()
        .at(-1);
      return [
        ...(until === undefined ? [] : [waits]),
        ...(again === undefined
          ? []
          : [
              `  From ${momentIn(timeZone, again)} on, run the same command again to check whether the missing records are gone.`,
            ]),
        '  airank sync fetches only what is missing.',
      ];
    }
  }
}

export function alertsDeps(
  { config, logger, scrub }: Settings,
  { db, pool }: Pick<OpenWarehouse, 'db' | 'pool'>,
): AlertsDeps {
  return { config, db, pool, clock: systemClock, logger, scrub };
}

/** Looks for alerts, sends them, and reports on stderr. A failure leaves the result of the sync as it is. */
async function alertAfterSync(
  terminal: Terminal,
  settings: Settings,
  warehouse: Pick<OpenWarehouse, 'db' | 'pool'>,
): Promise<void> {
  if (terminal.signal.aborted) return;
  try {
    const deps = { ...alertsDeps(settings, warehouse), signal: terminal.signal };
    const run = await runAlerts(deps, { check: true });
    for (const line of runLines(run)) say(terminal, line);
  } catch (error) {
    say(
      terminal,
      `Could not check for alerts: ${settings.scrub(messageOf(error))}. Try again: airank alerts check`,
    );
  }
}

/** Reports an alerts run; empty if nothing happened. */
export function runLines(run: AlertsRun): string[] {
  return [
    ...(run.isBusy ? ['Another process is checking for alerts.'] : []),
    ...(run.raised.length === 0
      ? []
      : [`${plural(run.raised.length, 'new alert')}: airank alerts lists them`]),
    ...run.broken.map(
      ({ account, rule, error }) =>
        `Could not check account ${account} for alerts${rule === undefined ? '' : ` of ${rule}`}: ${error}`,
    ),
    ...run.failed.map(
      ({ channel, error }) => `Could not send alerts to ${channel}, trying again later: ${error}`,
    ),
  ];
}

/** Reads the readiness of the views. Null: the batch mapped nothing, the command was stopped, or the check failed. */
async function checkViews(
  db: Executor,
  batchId: number,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<Readiness | null> {
  if (signal.aborted) return null;
  try {
    return (await hasMapped(db, batchId)) ? await readReadiness(db) : null;
  } catch (error) {
    logger.warn({ event: 'views.check_failed', err: error });
    return null;
  }
}

interface RunAndPrintOptions {
  readonly json?: true;
  /** Accounts that were asked for; the configuration that `run` gets has those of them that may be walked. */
  readonly accounts: readonly AccountConfig[];
  /** Name of an account to treat as new from now on. */
  readonly newAccount?: string;
}

/** @returns the exit code; undefined: `run` returned nothing, and nothing was printed */
export async function runAndPrint(
  terminal: Terminal,
  settings: Settings,
  flags: RunAndPrintOptions,
  run: (deps: SyncDeps) => Promise<BatchSummary | undefined>,
): Promise<number | undefined> {
  const { stderr, signal } = terminal;
  const { config, logger } = settings;
  const done = await withWarehouse(terminal, settings, {}, async ({ pool, db, ledger }) => {
    if (flags.newAccount !== undefined) await noteNewAccount(db, flags.newAccount);
    const given = { asked: flags.accounts, now: new Date() };
    const { accounts, leftOut } = await withoutRenamedAccounts(db, config, given);
    const progress = createProgress(stderr, settings.config.timeZone);
    try {
      const walked = { ...config, accounts };
      const deps = { config: walked, pool, db, ledger, clock: systemClock, logger, emit: progress.listen };
      const summary = await run(deps);
      if (summary === undefined) return undefined;
      await alertAfterSync(terminal, settings, { db, pool });
      return { leftOut, summary, views: await checkViews(db, summary.batch_id, { logger, signal }) };
    } finally {
      progress.stop();
    }
  });
  if (done === undefined) return undefined;
  const { leftOut, summary, views } = done;
  const exitCode = leftOut.length > 0 ? 2 : summary.exit_code;
  const json = { ...summary, exit_code: exitCode, left_out: leftOut.map(({ account }) => account), views };
  if (flags.json) terminal.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
  else show(terminal, settings.scrub(summaryLines(summary, settings.config.timeZone, views).join('\n')));
  for (const { text } of leftOut) say(terminal, text);
  return exitCode;
}

export const command = defineCommand({
  about: 'fetch every stream of every client, and publish the day',
  flags: {
    ...selectionFlags,
    '--again': 'request and publish again what this run date already has',
    '--accept-vanished <streams>':
      'publish these streams without a second check, although records are missing',
    '--new-account <name>': 'confirm once that this account is new, not a renamed one with history',
    '--json': 'print the summary as JSON on stdout',
  },
  help: `
--clients takes identifiers and names of the newest list of clients. If there is
no list yet, it is fetched first.

Exit codes:
  0  everything planned was published
  1  something failed, or the run was stopped
  2  wrong usage or configuration, --clients names one that is on no list, the
     clocks of this machine and of the server show different dates, or an
     account is left out because it may be a renamed one with history
  3  the budget ended first; the rest is deferred to the next sync

Examples:
  $ airank sync
  $ airank sync --streams airank,visibility --clients 7,acme
  $ airank sync --accept-vanished products
  $ airank sync --job rank-watch --json | jq '.accounts[].slices'`,
  async run({ terminal, flags }) {
    const { streams } = await judgeFlags(terminal, flags);
    const acceptVanished = readStreamNames('--accept-vanished', flags.acceptVanished, streams);
    const settings = readSettings(terminal, { needAccounts: true });
    const selection = await readSelection(flags, settings);
    if (flags.newAccount !== undefined) {
      configuredAccount(settings.config.accounts, flags.newAccount, '--new-account');
    }
    const { signal } = terminal;
    const options = { ...selection, acceptVanished, signal };
    const run = async (deps: SyncDeps) => {
      const left = { ...selection, accounts: deps.config.accounts };
      const lists = await missingLists(deps.db, left);
      const listed = lists === undefined ? undefined : await runSync(deps, { ...options, ...lists });
      if (listed !== undefined && listed.exit_code !== 0) return listed;
      return await runSync(deps, {
        ...options,
        ...(await ofListedClients(deps.db, left, flags)),
      });
    };
    const asked = { ...flags, accounts: selection.accounts };
    return (await runAndPrint(terminal, settings, asked, run)) ?? 1;
  },
});
