// airank rename account: the history of an account under another name.
import type { Command } from 'commander';
import { ConfigError } from '../../core/errors.ts';
import { count, plural } from '../../core/text.ts';
import { releaseName, renameAccount } from '../../retention/accounts/rename-account.ts';
import type { Terminal } from '../setup/context.ts';
import { demoFlag, useWarehouse } from '../setup/use-warehouse.ts';

interface Flags {
  readonly release?: true;
  readonly json?: true;
  readonly demo?: true;
}

export function addRenameCommand(program: Command, terminal: Terminal): void {
  program
    .command('rename')
    .description('give an account another name, with its whole history')
    .addHelpText('after', '\nExample:\n  $ airank rename account default north')
    .command('account')
    .description('rename an account in every table, all or nothing')
    .argument('<old>', 'name that it has in the warehouse')
    .argument('[new]', 'name that it gets; nothing may be stored under it')
    .option('--release', 'rename nothing; another account may have the name <old> that one had before')
    .option('--json', 'print the rows by table as JSON on stdout')
    .option(...demoFlag)
    .addHelpText(
      'after',
      `
Stop the scheduler and workers, rename, write the new name into the
configuration and into jobs that name the account, and start them again. No
sync goes by the old name any more, until it is released for another account;
clients that were forgotten stay out under every name.

Examples:
  $ airank rename account default north
  $ airank rename account --release default`,
    )
    .action(async (from: string, to: string | undefined, flags: Flags) => {
      if (flags.release === true) return await release(terminal, from, to, flags);
      const name = checkName(from, to);
      const { rows } = await useWarehouse(
        terminal,
        flags,
        { schema: 'migrate', locks: true },
        ({ pool, db }) => renameAccount(pool, db, { from, to: name }),
      );
      const tables = Object.entries(rows);
      const total = tables.reduce((sum, [, changed]) => sum + changed, 0);
      terminal.stdout.write(
        flags.json
          ? `${JSON.stringify({ old: from, new: name, rows }, null, 2)}\n`
          : `Account ${from} is ${name} now: ${count(total)} rows of ${plural(tables.length, 'table')}.\n`,
      );
      terminal.stderr.write(
        `The configuration, and jobs that name it, must say ${name}: a sync of ${from} is refused. Links to dashboards made for ${from}, ` +
          'and filters of BI tools on account and client_key, have to be made anew.\n',
      );
    });
}

async function release(
  terminal: Terminal,
  name: string,
  to: string | undefined,
  flags: Flags,
): Promise<void> {
  if (to !== undefined)
    throw new ConfigError([`Expected one name with --release, got "${name}" and "${to}"`]);
  const renamedTo = await useWarehouse(terminal, flags, { schema: 'migrate' }, ({ db }) =>
    releaseName(db, name),
  );
  terminal.stdout.write(
    flags.json
      ? `${JSON.stringify({ released: name, renamed_to: renamedTo }, null, 2)}\n`
      : `Another account may be called ${name} now. What was ${name} stays ${renamedTo}, and clients that it forgot stay out of both\n`,
  );
}

/** The new name. */
function checkName(from: string, to: string | undefined): string {
  if (to === undefined)
    throw new ConfigError(['Expected <new>, the name that the account gets, got nothing']);
  const faults: string[] = [];
  if (!/^[a-z0-9][a-z0-9_-]{0,62}$/.test(to)) {
    faults.push(
      `Expected <new> to be 1 to 63 characters of a-z, 0-9, _ and -, beginning with a letter or digit, got "${to}"`,
    );
  }
  if (from === to) faults.push(`Expected <new> to be another name than <old>, got "${to}" twice`);
  if (faults.length > 0) throw new ConfigError(faults);
  return to;
}
