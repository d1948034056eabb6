// airank rename account: the history of an account under another name.
import { ConfigError } from '../../core/errors.ts';
import { count, plural } from '../../core/text.ts';
import { releaseName, renameAccount } from '../../retention/accounts/rename-account.ts';
import { type Call, defineCommand } from '../define-command.ts';
import { demoFlag, useWarehouse, type Which } from '../use-warehouse.ts';

const accountCommand = defineCommand({
  about: 'rename an account in every table, all or nothing',
  args: [
    ['<old>', 'name that it has in the warehouse'],
    ['[new]', 'name that it gets; nothing may be stored under it'],
  ],
  flags: {
    '--release': 'rename nothing; another account may have the name <old> that one had before',
    '--json': 'print the rows by table as JSON on stdout',
    ...demoFlag,
  },
  help: `
Stop the scheduler and workers, rename, write the new name into the
configuration and into jobs that name the account, and start them again. No
sync goes by the old name any more, until it is released for another account;
clients that were forgotten stay out under every name.

Examples:
  $ airank rename account default north
  $ airank rename account --release default`,
  async run(call, from, to) {
    const { terminal, flags, print } = call;
    if (flags.release) return await release(call, from, to);
    const name = checkName(from, to);
    const { rows } = await useWarehouse(terminal, flags, { schema: 'migrate', locks: true }, ({ pool, db }) =>
      renameAccount(pool, db, { from, to: name }),
    );
    const tables = Object.entries(rows);
    const total = tables.reduce((sum, [, changed]) => sum + changed, 0);
    print(
      { old: from, new: name, rows },
      `Account ${from} is ${name} now: ${count(total)} rows of ${plural(tables.length, 'table')}.`,
    );
    terminal.stderr.write(
      `The configuration, and jobs that name it, must say ${name}: a sync of ${from} is refused. Links to dashboards made for ${from}, ` +
        'and filters of BI tools on account and client_key, have to be made anew.\n',
    );
  },
});

export const command = defineCommand({
  about: 'give an account another name, with its whole history',
  help: '\nExample:\n  $ airank rename account default north',
  commands: { account: accountCommand },
});

async function release(
  { terminal, flags, print }: Call<Which>,
  name: string,
  to: string | undefined,
): Promise<void> {
  if (to !== undefined)
    throw new ConfigError([`Expected one name with --release, got "${name}" and "${to}"`]);
  const renamedTo = await useWarehouse(terminal, flags, { schema: 'migrate' }, ({ db }) =>
    releaseName(db, name),
  );
  print(
    { released: name, renamed_to: renamedTo },
    `Another account may be called ${name} now. What was ${name} stays ${renamedTo}, and clients that it forgot stay out of both`,
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
