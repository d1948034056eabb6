// The dashboard as a file, and served on this machine.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { ConfigError, messageOf, WarehouseError } from '../../core/errors.ts';
import { bytes, plural } from '../../core/text.ts';
import { codeOf } from '../../db/sqlstate.ts';
import type { Language, Period } from '../../reporting/dashboard/charts/chart.ts';
import {
  fileScopes,
  usualPeriod,
  writeDashboardFile,
} from '../../reporting/dashboard/document/dashboard-file.ts';
import type { Assets } from '../../reporting/dashboard/document/html-document.ts';
import type { PageScope } from '../../reporting/dashboard/page/page-data.ts';
import { createPageSource } from '../../reporting/dashboard/read/page-source.ts';
import type { PageSource } from '../../reporting/dashboard/read/read-dashboard-page.ts';
import { chooseScope, readDates, readShownScopes } from '../../reporting/dashboard/read/read-overview.ts';
import { startDashboardServer } from '../../reporting/dashboard/serve/dashboard-server.ts';
import { liveData } from '../../reporting/dashboard/serve/live-data.ts';
import { redraw } from '../print/redraw.ts';
import { say, type Terminal } from '../terminal.ts';
import type { OpenedReader } from '../use-warehouse.ts';

interface WantedFile {
  /** Absolute. */
  readonly file: string;
  readonly assets: Assets;
  readonly client?: string;
  /** Adds to the file of one client what is otherwise shown to the agency only. */
  readonly withNotes?: true;
  readonly from?: string;
  readonly to?: string;
  readonly language?: Language;
}

/**
 * Writes the dashboard, and returns how many charts could not be read: the file says so in their place, and
 * stderr says why.
 * @throws ConfigError where there is no such client, or nothing of these dates
 */
export async function writeDashboard(
  terminal: Terminal,
  opened: OpenedReader,
  given: WantedFile,
): Promise<number> {
  const { pool } = opened.reader;
  const all = await readShownScopes(pool);
  const chosen = given.client === undefined ? undefined : chooseScope(all, given.client);
  const dates = await readDates(pool, chosen);
  if (dates === undefined) {
    throw new ConfigError([
      `Nothing is published${chosen ? ` of ${chosen.name}` : ''} yet. Run: airank sync`,
    ]);
  }
  const scopes = chosen === undefined ? someScopes(all, terminal) : [chosen];
  const period = chosenDates(given, dates, chosen !== undefined);
  const { stderr, signal } = terminal;
  let shown = '';
  const progress = redraw(stderr, (width) => (width === undefined || shown === '' ? [] : [shown]));
  const failed = await writeDashboardFile(pageSource(terminal, opened), {
    file: given.file,
    assets: given.assets,
    language: given.language ?? opened.settings.config.language,
    scopes,
    period,
    audience: chosen === undefined ? 'agency' : given.withNotes ? 'client_with_notes' : 'client',
    signal,
    onPage: (done, pages) => {
      shown = `${done} of ${plural(pages, 'page')}`;
    },
  }).finally(() => progress.stop());
  const size = bytes((await stat(given.file)).size);
  const clients = scopes.filter(isClient).length;
  const who = chosen?.name ?? whoseText(scopes.length - clients, clients);
  say(terminal, `${who}, ${period.from} to ${period.to}: ${size}`);
  if (failed.length > 0) {
    say(terminal, `${plural(failed.length, 'chart')} could not be read, and the file says so`);
  }
  return failed.length;
}

/** Reads pages, and names on stderr what could not be read. */
function pageSource(terminal: Terminal, { reader, warehouse, settings }: OpenedReader): PageSource {
  const onFailure = (name: string, error: unknown) => {
    // Reads fail while the program is ending; nobody needs to hear of it.
    if (terminal.signal.aborted) return;
    say(terminal, `${name} could not be read: ${settings.scrub(messageOf(error))}`);
  };
  const { timeZone } = settings.config;
  return createPageSource({
    ...{ pool: reader.pool, db: warehouse?.db, streams: settings.streams, timeZone, onFailure },
  });
}

function whoseText(accounts: number, clients: number): string {
  const account = accounts === 1 ? 'The account' : plural(accounts, 'account');
  return clients === 0 ? `${account} alone` : `${account} and ${plural(clients, 'client')}`;
}

const isClient = ({ clientId }: PageScope) => clientId !== '';

function someScopes(all: readonly PageScope[], terminal: Terminal): readonly PageScope[] {
  const { scopes, leftOut } = fileScopes(all);
  if (leftOut > 0) {
    say(
      terminal,
      `${plural(leftOut, 'client')} are too many for one file: it only holds the pages of the account. Use --client for the pages of one`,
    );
  }
  return scopes;
}

function chosenDates({ from, to }: WantedFile, dates: Period, isOne: boolean): Period {
  const usual = usualPeriod(dates, isOne, to);
  const chosen = { ...usual, ...(from && { from }) };
  if (chosen.from <= dates.to && chosen.to >= dates.from && chosen.from <= chosen.to) return chosen;
  throw new ConfigError([
    `Expected dates between ${dates.from} and ${dates.to}, which have data, got ${chosen.from} to ${chosen.to}`,
  ]);
}

interface WantedServe {
  readonly assets: Assets;
  readonly port: number;
  readonly language?: Language;
}

/** @throws WarehouseError when it cannot listen there */
export async function serveDashboard(
  terminal: Terminal,
  opened: OpenedReader,
  { assets, port, language = opened.settings.config.language }: WantedServe,
): Promise<void> {
  const { settings } = opened;
  const { stdout, stderr, signal } = terminal;
  const secretPath = randomBytes(24).toString('base64url');
  const source = pageSource(terminal, opened);
  const data = liveData(source, language);
  const server = await startDashboardServer({
    ...{ port, data, assets, language, secretPath },
    onFailure: (error) => stderr.write(`A page could not be read: ${settings.scrub(messageOf(error))}\n`),
  }).catch((error: unknown) => {
    const why =
      codeOf(error) === 'EADDRINUSE'
        ? `Port ${port} is in use, perhaps by another dashboard. Stop it, or choose another port with --port (0 picks a free one)`
        : `Cannot listen on port ${port}: ${messageOf(error)}. Choose another with --port`;
    throw new WarehouseError(why, {}, { cause: error });
  });
  try {
    // Warm up before the first visitor.
    void data.warm();
    source.readiness.now();
    stdout.write(`http://127.0.0.1:${server.port}/${secretPath}/\n`);
    stderr.write('Anyone with this address can see everything while this runs. Ctrl-C ends it.\n');
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await server.close();
  }
}
