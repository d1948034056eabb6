// airank sync: the main job by hand.
import type { Command } from 'commander';
import { systemClock } from '../../core/clock.ts';
import { runSync } from '../../sync/run/run.ts';
import { summaryLines } from '../print/print-summary.ts';
import { createProgress } from '../print/progress.ts';
import { columnsOf } from '../print/wrap.ts';
import { alertAfterSync } from '../setup/alerts-after-sync.ts';
import { readSettings, type Terminal, withWarehouse } from '../setup/context.ts';
import { lookAtViews } from '../setup/look-at-views.ts';
import { readSelection, readStreamNames, type SelectionFlags, selectionOptions } from '../setup/selection.ts';

interface SyncFlags extends SelectionFlags {
  readonly again?: true;
  readonly acceptVanished?: string;
  readonly json?: true;
}

export function addSyncCommand(program: Command, terminal: Terminal, end: (exitCode: number) => void): void {
  selectionOptions(program.command('sync'))
    .description('walk every stream of every client and publish the snapshot of a run date')
    .option('--again', 'request and publish again what this run date already has')
    .option(
      '--accept-vanished <streams>',
      'what these streams no longer have is gone: publish it without a second walk',
    )
    .option('--json', 'print the summary as JSON on stdout')
    .addHelpText(
      'after',
      `
Exit codes:
  0  everything planned was published
  1  something failed, or the run was stopped
  2  wrong usage or configuration
  3  the budget ended first; the rest is deferred and goes on with the next sync

Examples:
  $ airank sync
  $ airank sync --streams airank,visibility --clients 7,acme
  $ airank sync --accept-vanished products
  $ airank sync --job rank-watch --json | jq '.accounts[].slices'`,
    )
    .action(async (flags: SyncFlags) => {
      const settings = readSettings(terminal, { needAccounts: true });
      const selection = await readSelection(flags, settings);
      const acceptVanished = readStreamNames('--accept-vanished', flags.acceptVanished, settings.streams);
      const { summary, views } = await withWarehouse(
        terminal,
        settings,
        { locks: true },
        async ({ pool, db, ledger }) => {
          const progress = createProgress(terminal.stderr);
          try {
            const deps = {
              config: settings.config,
              pool,
              db,
              ledger,
              clock: systemClock,
              logger: settings.logger,
            };
            const summary = await runSync(
              { ...deps, emit: progress.listen },
              { ...selection, acceptVanished, signal: terminal.signal },
            );
            await alertAfterSync(terminal, settings, { db, pool });
            return { summary, views: await lookAtViews(db, { ...settings, signal: terminal.signal }) };
          } finally {
            progress.stop();
          }
        },
      );
      terminal.stdout.write(
        flags.json
          ? `${JSON.stringify({ ...summary, views }, null, 2)}\n`
          : `${settings.scrub(summaryLines(summary, views, columnsOf(terminal.stdout)).join('\n'))}\n`,
      );
      end(summary.exit_code);
    });
}
