// airank report: a page that an agency sends to its client.

import { join, relative, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { ConfigError, WarehouseError } from '../../core/errors.ts';
import { parseRunDate } from '../../core/run-date.ts';
import { plural } from '../../core/text.ts';
import type { Period } from '../../reporting/dashboard/charts/chart.ts';
import { findClient, type ReportClient, readClientsToReport } from '../../reporting/report/clients.ts';
import { periodKinds } from '../../reporting/report/period.ts';
import {
  clientsOf,
  countOf,
  type Outcome,
  outcomeJson,
  type ProduceOptions,
  produceAll,
  produceReport,
} from '../../reporting/report/produce-report.ts';
import { folderOf, type ReportOptions, readReportOptions } from '../../reporting/report/report-options.ts';
import { defineCommand, type FlagsOf } from '../define-command.ts';
import { dateFlag } from '../flags.ts';
import { checkOutputFile, checkOutputFolder } from '../output.ts';
import { say, show, type Terminal } from '../terminal.ts';
import { demoFlag, withReader } from '../use-warehouse.ts';

const reportFlags = {
  '--all': 'of every client, into a folder; continues where it was stopped',
  '--period <period>': { about: 'length', choices: periodKinds, default: 'month' },
  '--date <date>': 'a date in the period (default: the last one that is over)',
  '--language <language>': { about: 'default: AIRANK_LANGUAGE', choices: ['en', 'es'] },
  '--output <file>': 'write this file; with --all this folder (default: reports)',
  '--pdf': 'as PDF, printed by a Chromium that is installed here',
  '--mail': 'also by mail, to report.clients or report.to of airank.config.yaml',
  '--anyway': 'even if its data is stale or failed; the page says so',
  '--again': 'with --all: also existing ones; with --mail: also to those who got it',
  '--json': 'with --all: print the outcome of each client as JSON on stdout',
  ...demoFlag,
} as const;

type ReportFlags = FlagsOf<typeof reportFlags>;

/** Says why a report is missing or not quite fine; undefined: it is fine. */
function problemOf({ client, state, detail, unsentTo }: Outcome, { from, to }: Period): string | undefined {
  const whose = `The report of ${client.key} from ${from} to ${to}`;
  if (state === 'empty') {
    return `${whose} would be empty: nothing was measured. Choose a time with data: --date or --period`;
  }
  if (state === 'withheld') {
    return `${whose} is withheld: ${detail}. Run airank sync, or add --anyway: the page then says so`;
  }
  if (state === 'left') {
    return `${whose} is not made: the client ${detail}. --anyway makes it and says so on the page`;
  }
  if (state === 'failed') return `${whose} failed: ${detail}`;
  if (unsentTo.length === 0) return undefined;
  return `${whose} is written, but not mailed to ${unsentTo.join(', ')}: ${detail}. Run the same command to try again`;
}

/** `3/40 agency/c7: written`. */
export function outcomeLine(
  outcome: Outcome,
  period: Period,
  { done, of }: { readonly done: number; readonly of: number },
): string {
  const place = `${String(done).padStart(String(of).length)}/${of}`;
  const problem = problemOf(outcome, period);
  if (problem !== undefined) return `${place} ${problem}`;
  const { client, state, mailedTo } = outcome;
  const sent = mailedTo.length === 0 ? '' : `, sent to ${mailedTo.join(', ')}`;
  return `${place} ${client.key}: ${state === 'there' ? 'there already' : `written${sent}`}`;
}

function totalLine(outcomes: readonly Outcome[], folder: string): string {
  const unsent = outcomes.filter(({ unsentTo }) => unsentTo.length > 0).length;
  const parts = [
    `${countOf(outcomes, 'written')} written`,
    ...(countOf(outcomes, 'there') > 0 ? [`${countOf(outcomes, 'there')} there already`] : []),
    ...(countOf(outcomes, 'empty') > 0 ? [`${countOf(outcomes, 'empty')} without data`] : []),
    ...(countOf(outcomes, 'withheld') > 0 ? [`${countOf(outcomes, 'withheld')} withheld`] : []),
    ...(countOf(outcomes, 'left') > 0 ? [`${countOf(outcomes, 'left')} of clients that left`] : []),
    ...(countOf(outcomes, 'failed') > 0 ? [`${countOf(outcomes, 'failed')} failed`] : []),
    ...(unsent > 0 ? [`${unsent} not mailed`] : []),
  ];
  return `${folder}: ${parts.join(', ')}`;
}

export const command = defineCommand({
  about: 'what an agency sends to a client: HTML or PDF, also by mail',
  args: [['[client]', 'id or name of the client; account/id where accounts share ids']],
  flags: reportFlags,
  help: `
Prints the path of the file. Exit code 1 also if a report is withheld because
its data is stale or failed, or if nothing was measured in the period.
Name, logo, colours and footer: agency in airank.config.yaml
(docs/dashboard-and-reports.md).

Examples:
  $ airank report c7
  $ airank report c7 --period week --language es --output week.html
  $ airank report c7 --date 2026-09-15 --pdf --mail
  $ airank report --all --output reports --mail`,
  async run({ terminal, flags }, client) {
    const date = checkFlags(client, flags);
    await checkOutput(terminal, flags);
    return await withReader(
      terminal,
      flags,
      // Who got a mail is noted in the warehouse.
      { schema: flags.mail === true ? 'migrate' : 'expect' },
      async ({ reader, warehouse, settings }) => {
        const config: Config = settings.config;
        const given = {
          timeZone: config.timeZone,
          ...flags,
          date,
          language: flags.language,
          pdf: flags.pdf === true,
          mail: flags.mail === true,
          anyway: flags.anyway === true,
          // A report of one client is made again each time.
          again: flags.again === true || flags.all !== true,
          mailAgain: flags.again === true,
        };
        const options = await readReportOptions(given, config, terminal.env, terminal.signal);
        const clients = await readClientsToReport(reader.pool);
        const mail = options.mailing?.(clients, (warehouse ?? noWarehouse()).db);
        const produce = { ...options, pool: reader.pool, mail };
        return flags.all === true
          ? await reportAll(terminal, clients, flags, produce)
          : await reportOne(terminal, findClient(clients, client ?? ''), flags, produce);
      },
    );
  },
});

type Produce = ReportOptions & Omit<ProduceOptions, 'fileOf'>;

async function reportOne(
  terminal: Terminal,
  client: ReportClient,
  flags: ReportFlags,
  options: Produce,
): Promise<number> {
  const file = resolve(terminal.cwd, flags.output ?? options.fileNameOf(client));
  const outcome = await produceReport(client, { ...options, fileOf: () => file });
  const problem = problemOf(outcome, options.period);
  if (outcome.state !== 'written') throw new WarehouseError(problem ?? outcome.state);
  if (problem !== undefined) say(terminal, problem);
  if (outcome.hadIt.length > 0) {
    const who = outcome.hadIt.join(', ');
    say(terminal, `Not sent to ${who}, who already got it. --mail --again sends it again`);
  }
  if (outcome.mailedTo.length > 0) say(terminal, `Sent to ${outcome.mailedTo.join(', ')}`);
  show(terminal, shownPath(file, terminal));
  return problem === undefined ? 0 : 1;
}

async function reportAll(
  terminal: Terminal,
  all: readonly ReportClient[],
  flags: ReportFlags,
  options: Produce,
): Promise<number> {
  const folder = folderOf(resolve(terminal.cwd, flags.output ?? 'reports'), options);
  const clients = clientsOf(all, options.period);
  if (clients.length === 0) {
    const got = all.length === 0 ? 'no clients' : `${plural(all.length, 'client')} that had left before`;
    throw new ConfigError([
      `Expected a client that was there on ${options.period.to}, got ${got}. Choose another --date, or run airank sync`,
    ]);
  }
  const outcomes = await produceAll(
    clients,
    { ...options, fileOf: (client) => join(folder, options.fileNameOf(client)) },
    (outcome, done) => {
      say(terminal, `${outcomeLine(outcome, options.period, { done, of: clients.length })}`);
      if (flags.json !== true && (outcome.state === 'written' || outcome.state === 'there')) {
        show(terminal, shownPath(outcome.file, terminal));
      }
    },
  );
  say(terminal, totalLine(outcomes, shownPath(folder, terminal)));
  if (flags.json === true) {
    terminal.stdout.write(`${JSON.stringify(outcomeJson(outcomes, options.period), null, 2)}\n`);
  }
  if (countOf(outcomes, 'empty') === outcomes.length) return 1;
  const isUnsent = outcomes.some(({ unsentTo }) => unsentTo.length > 0);
  return countOf(outcomes, 'failed') + countOf(outcomes, 'withheld') > 0 || isUnsent ? 1 : 0;
}

function noWarehouse(): never {
  throw new ConfigError([
    'Expected DATABASE_URL to be set for --mail, because the warehouse notes who got a report, got AIRANK_READER_URL alone',
  ]);
}

async function checkOutput({ cwd }: Terminal, { all, output }: ReportFlags): Promise<void> {
  if (all === true) {
    await checkOutputFolder(resolve(cwd, output ?? 'reports'), output ?? 'reports');
  } else await checkOutputFile(resolve(cwd, output ?? 'report'), output);
}

function shownPath(path: string, { cwd }: Terminal): string {
  const near = relative(cwd, path);
  return near.startsWith('..') ? path : near;
}

/** @throws ConfigError with every fault of every flag */
function checkFlags(client: string | undefined, flags: ReportFlags) {
  const faults: string[] = [];
  const { date: text, all } = flags;
  dateFlag('--date', text, faults);
  if (client === undefined && all !== true) faults.push('Expected a client, or --all, got neither');
  if (client !== undefined && all === true) faults.push(`Expected a client or --all, got both`);
  if (flags.json === true && all !== true) faults.push('Expected --json with --all, got it without');
  if (flags.again === true && all !== true && flags.mail !== true) {
    faults.push('Expected --again with --all or --mail, got it without');
  }
  const { output, pdf } = flags;
  if (output !== undefined && all !== true && /\.pdf$/i.test(output) !== (pdf === true)) {
    const ending = pdf === true ? 'to end in .pdf with --pdf' : 'not to end in .pdf without --pdf';
    faults.push(`Expected --output ${ending}, got ${JSON.stringify(output)}`);
  }
  if (flags.mail === true && flags.demo === true) {
    faults.push('--mail cannot be used with --demo, whose clients are invented');
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return text === undefined ? undefined : parseRunDate(text);
}
