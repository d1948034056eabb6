// airank dashboard: the pages that people look at, as one file or live on this machine.
import { type Command, Option } from 'commander';
import { readAssets } from '../../reporting/dashboard/document/assets.ts';
import { checkOutputFile } from '../setup/check-output.ts';
import type { Terminal } from '../setup/context.ts';
import { type DashboardFlags, readDashboardFlags, usualDashboardPort } from '../setup/dashboard-flags.ts';
import { serveDashboard } from '../setup/serve-dashboard.ts';
import { demoFlag } from '../setup/use-warehouse.ts';
import { withReader } from '../setup/with-reader.ts';
import { writeDashboard } from '../setup/write-dashboard.ts';
import { addDashboardLinkCommand } from './dashboard-link-command.ts';

export function addDashboardCommand(
  program: Command,
  terminal: Terminal,
  end: (exitCode: number) => void,
): void {
  const dashboard = program
    .command('dashboard')
    .description('the pages to look at: as one HTML file, or live on this machine')
    .option('--output <file>', 'write this file, whole or not at all; it needs no network')
    .option('--client <id>', 'only the pages of this client, and nothing of the account')
    .option('--with-notes', 'with --client: also the notes of airank note, which are yours alone otherwise')
    .option('--from <date>', 'first date (default: all there is of one client, 90 days of several)')
    .option('--to <date>', 'last date')
    .option('--serve', 'show it live, and print the link that opens it')
    .option('--port <number>', `where to listen; 0 takes a free port (default: ${usualDashboardPort})`)
    .option('--host <address>', 'where to listen; 0.0.0.0: everywhere', '127.0.0.1')
    .option(
      '--allow-host <name>',
      'answer requests for this name too, as a proxy passes them on; may be repeated, beside AIRANK_DASHBOARD_HOSTS',
      (name: string, names: readonly string[]) => [...names, name],
      [],
    )
    .addOption(new Option('--language <language>', 'default: AIRANK_LANGUAGE').choices(['en', 'es']))
    .option(...demoFlag)
    .addHelpText(
      'after',
      `
A file holds its figures: whoever has it sees them. It asks no server anything.
Exit code 1: a chart could not be read; the file is written, and says so.
Live, nothing is shown without a link: the one that is printed, or one of a
single client by airank dashboard link.

Examples:
  $ airank dashboard --output portfolio.html
  $ airank dashboard --client 7 --output client.html --language es
  $ airank dashboard --serve
  $ airank dashboard --serve --host 0.0.0.0 --allow-host visibility.example.com
  $ airank dashboard link 7 --days 7`,
    )
    .action(async (flags: DashboardFlags) => {
      const wish = readDashboardFlags(flags, terminal);
      if (wish.kind === 'file') await checkOutputFile(wish.file, flags.output);
      const assets = readAssets();
      const { language, host, allowHost, client, from, to, withNotes } = flags;
      const common = { assets, ...(language && { language }) };
      await withReader(terminal, flags, { orDemo: wish.kind === 'serve' }, async (opened) => {
        if (wish.kind === 'serve') {
          const { port } = wish;
          return await serveDashboard(terminal, opened, { ...common, host, port, allowedHosts: allowHost });
        }
        const chosen = {
          ...(client && { client }),
          ...(withNotes && { withNotes }),
          ...(from && { from }),
          ...(to && { to }),
        };
        const failed = await writeDashboard(terminal, opened, { ...common, ...chosen, file: wish.file });
        terminal.stdout.write(`${flags.output}\n`);
        if (failed > 0) end(1);
      });
    });
  addDashboardLinkCommand(dashboard, terminal);
}
