// airank dashboard: the pages that people look at, as one file or live on this machine.

import { resolve } from 'node:path';
import { ConfigError } from '../../core/errors.ts';
import { readAssets } from '../../reporting/dashboard/document/html-document.ts';
import { defineCommand, type FlagsOf } from '../define-command.ts';
import { dateFlag, numberFlag } from '../flags.ts';
import { checkOutputFile } from '../output.ts';
import { show, type Terminal } from '../terminal.ts';
import { demoFlag, withReader } from '../use-warehouse.ts';
import { serveDashboard, writeDashboard } from './dashboard-page.ts';

const usualDashboardPort = 9465;

const dashboardFlags = {
  '--output <file>': 'write this file, whole or not at all; it needs no network',
  '--client <id>': 'only the pages of this client, and nothing of the account',
  '--with-notes': 'with --client: also show the notes of airank note',
  '--from <date>': 'first date (default: all data of one client, 90 days of several)',
  '--to <date>': 'last date',
  '--serve': 'show it live, on this machine only, and print its address',
  '--port <number>': `port of --serve; 0 picks a free one (default: ${usualDashboardPort})`,
  '--language <language>': { about: 'default: AIRANK_LANGUAGE', choices: ['en', 'es'] },
  ...demoFlag,
} as const;

type DashboardFlags = FlagsOf<typeof dashboardFlags>;

type WantedDashboard =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'serve'; readonly port: number };

/** @throws ConfigError with every fault */
function readDashboardFlags(flags: DashboardFlags, { cwd }: Terminal): WantedDashboard {
  const faults: string[] = [];
  const { from, to, output } = flags;
  dateFlag('--from', from, faults);
  dateFlag('--to', to, faults);
  if (from !== undefined && to !== undefined && from > to) {
    faults.push(`Expected --from to be no later than --to, got ${from} and ${to}`);
  }
  if ((output === undefined) === (flags.serve === undefined)) {
    faults.push(`Expected either --output FILE or --serve, got ${output ? 'both' : 'neither'}`);
  }
  const file = resolve(cwd, output ?? '');
  const port =
    numberFlag('--port', flags.port ?? String(usualDashboardPort), { min: 0, max: 65_535 }, faults) ?? 0;
  if (output !== undefined && flags.port !== undefined) {
    faults.push('--port cannot be used with --output: it is for --serve');
  }
  for (const name of ['client', 'from', 'to'] as const) {
    if (flags.serve && flags[name] !== undefined) {
      faults.push(`--${name} cannot be used with --serve: choose it on the page`);
    }
  }
  if (flags.withNotes && flags.client === undefined) {
    faults.push('--with-notes needs --client: a file of all clients has the notes anyway');
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return flags.serve ? { kind: 'serve', port } : { kind: 'file', file };
}

export const command = defineCommand({
  about: 'the pages to look at: as one HTML file, or live on this machine',
  flags: dashboardFlags,
  help: `
A file holds its figures: anyone who has it sees them. It needs no server.
Exit code 1: a chart could not be read; the file is written, and says so.
With --serve, only the printed address shows anything; each start has its own.
From another machine: ssh -L 9465:localhost:9465 THIS_MACHINE

Examples:
  $ airank dashboard --output portfolio.html
  $ airank dashboard --client 7 --output client.html --language es
  $ airank dashboard --serve`,
  async run({ terminal, flags }) {
    const given = readDashboardFlags(flags, terminal);
    if (given.kind === 'file') await checkOutputFile(given.file, flags.output);
    const assets = readAssets();
    const { language, client, from, to, withNotes } = flags;
    const common = { assets, ...(language && { language }) };
    return await withReader(terminal, flags, { orDemo: given.kind === 'serve' }, async (opened) => {
      if (given.kind === 'serve') {
        await serveDashboard(terminal, opened, { ...common, port: given.port });
        return 0;
      }
      const chosen = {
        ...(client && { client }),
        ...(withNotes && { withNotes }),
        ...(from && { from }),
        ...(to && { to }),
      };
      const failed = await writeDashboard(terminal, opened, { ...common, ...chosen, file: given.file });
      show(terminal, `${flags.output}`);
      return failed > 0 ? 1 : 0;
    });
  },
});
