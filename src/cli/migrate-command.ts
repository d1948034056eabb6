// airank migrate: brings the warehouse to this version's schema.
import type { Command } from 'commander';
import { migrate } from '../warehouse/migrate.ts';
import { readSettings, streamNames, type Terminal, withWarehouse } from './context.ts';
import { plural } from './table.ts';

export function addMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description("bring the warehouse to this version's schema (sync does so by itself)")
    .option('--json', 'print the applied migrations as JSON on stdout')
    .addHelpText(
      'after',
      `
Migrations go forward only, each once, under a lock: any number of processes
may try at the same time.

Examples:
  $ airank migrate
  $ DATABASE_URL=postgres://owner@db.example.com/warehouse airank migrate --json`,
    )
    .action(async (flags: { json?: true }) => {
      const settings = readSettings(terminal, { needAccounts: false });
      const { applied } = await withWarehouse(terminal, settings, { schema: 'leave' }, ({ pool }) =>
        migrate(pool, streamNames(settings)),
      );
      terminal.stdout.write(flags.json ? `${JSON.stringify({ applied }, null, 2)}\n` : textOf(applied));
    });
}

function textOf(applied: readonly string[]): string {
  if (applied.length === 0) return 'The warehouse is up to date.\n';
  return `Applied ${plural(applied.length, 'migration')}:\n${applied.map((name) => `  ${name}\n`).join('')}`;
}
