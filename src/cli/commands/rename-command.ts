// airank rename account: the history of an account under another name.
import type { Command } from 'commander';
import { ConfigError } from '../../core/errors.ts';
import { count, plural } from '../../core/plural.ts';
import { renameAccount } from '../../warehouse/accounts/rename-account.ts';
import type { Terminal } from '../setup/context.ts';
import { demoFlag, withChosenWarehouse } from '../setup/demo-settings.ts';

export function addRenameCommand(program: Command, terminal: Terminal): void {
  program
    .command('rename')
    .description('give an account another name, with its whole history')
    .addHelpText('after', '\nExample:\n  $ airank rename account default north')
    .command('account')
    .description('rename an account in every table, all or nothing')
    .argument('<old>', 'name that it has in the warehouse')
    .argument('<new>', 'name that it gets; nothing may be stored under it')
    .option('--json', 'print the rows by table as JSON on stdout')
    .option(...demoFlag)
    .addHelpText(
      'after',
      `
Stop the scheduler and workers, rename, write the new name into the
configuration and into jobs that name the account, and start them again: with
the old one there, a second history would begin.

Example:
  $ airank rename account default north`,
    )
    .action(async (from: string, to: string, flags: { readonly json?: true; readonly demo?: true }) => {
      checkName(from, to);
      const { rows } = await withChosenWarehouse(terminal, flags.demo === true, {}, ({ pool, db }) =>
        renameAccount(pool, db, { from, to }),
      );
      const tables = Object.entries(rows);
      const total = tables.reduce((sum, [, changed]) => sum + changed, 0);
      terminal.stdout.write(
        flags.json
          ? `${JSON.stringify({ old: from, new: to, rows }, null, 2)}\n`
          : `Account ${from} is ${to} now: ${count(total)} rows of ${plural(tables.length, 'table')}.\n`,
      );
      terminal.stderr.write(
        `The configuration, and jobs that name it, must say ${to} before the next sync. Links to dashboards made for ${from}, and filters of ` +
          'BI tools on account and client_key, have to be made anew.\n',
      );
    });
}

function checkName(from: string, to: string): void {
  const faults: string[] = [];
  if (!/^[a-z0-9][a-z0-9_-]{0,62}$/.test(to)) {
    faults.push(
      `Expected <new> to be 1 to 63 characters of a-z, 0-9, _ and -, beginning with a letter or digit, got "${to}"`,
    );
  }
  if (from === to) faults.push(`Expected <new> to be another name than <old>, got "${to}" twice`);
  if (faults.length > 0) throw new ConfigError(faults);
}
