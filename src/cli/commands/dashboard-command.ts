// airank dashboard: the pages that people look at, as one file or live on this machine.
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/plural.ts';
import { charts } from '../../dashboard/charts/catalog.ts';
import type { Language, Period } from '../../dashboard/charts/chart.ts';
import { type Assets, readAssets } from '../../dashboard/document/assets.ts';
import { dashboardFile } from '../../dashboard/document/dashboard-file.ts';
import { addDays, isDay } from '../../dashboard/page/dates.ts';
import type { Scope } from '../../dashboard/page/page-data.ts';
import { chooseScope } from '../../dashboard/read/choose-scope.ts';
import { readDates, readScopes } from '../../dashboard/read/read-overview.ts';
import { readReadiness } from '../../warehouse/reports/view-readiness.ts';
import { bytes } from '../print/table.ts';
import type { Terminal } from '../setup/context.ts';
import { demoFlag } from '../setup/demo-settings.ts';
import { type OpenedReader, withReader } from '../setup/with-reader.ts';
import { writeWhole } from '../setup/write-whole.ts';

interface DashboardFlags {
  readonly output?: string;
  readonly client?: string;
  readonly from?: string;
  readonly to?: string;
  readonly language?: Language;
  readonly demo?: true;
}

/** Beyond that a file would be too large to send. */
const mostClients = 50;
/** Of a file with several clients. */
const usualDays = 90;

export function addDashboardCommand(program: Command, terminal: Terminal): void {
  program
    .command('dashboard')
    .description('the pages to look at, as one HTML file')
    .option('--output <file>', 'write this file, whole or not at all; it needs no network')
    .option('--client <id>', 'only the pages of this client, and nothing of the account')
    .option('--from <date>', 'first date (default: all there is of one client, 90 days of several)')
    .option('--to <date>', 'last date')
    .addOption(new Option('--language <language>', 'default: AIRANK_LANGUAGE').choices(['en', 'es']))
    .option(...demoFlag)
    .addHelpText(
      'after',
      `
The file holds its figures: whoever has it sees them. It asks no server for anything.

Examples:
  $ airank dashboard --output portfolio.html
  $ airank dashboard --client 7 --output client.html --language es
  $ airank dashboard --demo --output demo.html`,
    )
    .action(async (flags: DashboardFlags) => {
      const output = checkFlags(flags, terminal);
      const assets = readAssets();
      await withReader(terminal, flags.demo === true, (opened) =>
        writeDashboard(terminal, opened, { ...flags, output, assets }),
      );
      terminal.stdout.write(`${flags.output}\n`);
    });
}

export interface FileFlags extends Omit<DashboardFlags, 'demo'> {
  readonly output: string;
  readonly assets: Assets;
}

/** @param flags output: where, as an absolute path */
export async function writeDashboard(
  terminal: Terminal,
  { reader, warehouse, settings }: OpenedReader,
  flags: FileFlags,
): Promise<void> {
  const { pool } = reader;
  const all = await readScopes(pool);
  const dates = await readDates(pool);
  if (dates === undefined) throw new ConfigError(['Nothing is published yet. Run: airank sync']);
  const scopes = flags.client === undefined ? someScopes(all, terminal) : [chooseScope(all, flags.client)];
  const period = chosenDates(flags, dates, scopes.length === 1);
  const readiness = warehouse === undefined ? undefined : await readReadiness(warehouse.db);
  const onFailure = (name: string, error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    terminal.stderr.write(`${name} could not be read: ${settings.scrub(why)}\n`);
  };
  const parts = dashboardFile(
    { pool, charts, readiness, onFailure },
    {
      assets: flags.assets,
      language: flags.language ?? settings.config.language,
      scopes,
      period,
      signal: terminal.signal,
      onPage: (done, pages) => {
        if (terminal.stderr.isTTY) terminal.stderr.write(`\r${done} of ${plural(pages, 'page')}\u001b[K`);
      },
    },
  );
  await writeWhole(flags.output, parts);
  const size = (await stat(flags.output)).size;
  const begin = terminal.stderr.isTTY ? '\r\u001b[K' : '';
  terminal.stderr.write(
    `${begin}${plural(scopes.length, 'scope')}, ${period.from} to ${period.to}: ${bytes(size)}\n`,
  );
}

/** Accounts and their clients, or accounts alone where that are too many. */
function someScopes(all: readonly Scope[], terminal: Terminal): readonly Scope[] {
  const present = all.filter(({ leftOn }) => leftOn === null);
  const clients = present.filter(({ clientId }) => clientId !== '').length;
  if (clients <= mostClients) return present;
  terminal.stderr.write(
    `${plural(clients, 'client')} are too many for one file: it holds the portfolio alone. --client writes one client's pages\n`,
  );
  return present.filter(({ clientId }) => clientId === '');
}

function chosenDates({ from, to }: FileFlags, dates: Period, isOne: boolean): Period {
  const last = to ?? dates.to;
  const usual = isOne ? dates.from : addDays(last, 1 - usualDays);
  const chosen = { from: from ?? (usual < dates.from ? dates.from : usual), to: last };
  if (chosen.from > dates.to || chosen.to < dates.from) {
    throw new ConfigError([
      `Expected dates from ${dates.from} to ${dates.to}, of which there is data, got ${chosen.from} to ${chosen.to}`,
    ]);
  }
  return chosen;
}

/** The file's absolute path. */
function checkFlags({ output, from, to }: DashboardFlags, { cwd }: Terminal): string {
  const faults = Object.entries({ from, to }).flatMap(([name, text]) =>
    text === undefined || isDay(text)
      ? []
      : [`Expected --${name} to be a date such as 2026-04-03, got "${text}"`],
  );
  if (from !== undefined && to !== undefined && from > to) {
    faults.push(`Expected --from to be no later than --to, got ${from} and ${to}`);
  }
  const file = resolve(cwd, output ?? '');
  if (output === undefined) faults.push('Expected --output with the file to write');
  else if (!existsSync(dirname(file))) {
    faults.push(`Expected --output to be in a folder that exists, got "${output}"`);
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return file;
}
