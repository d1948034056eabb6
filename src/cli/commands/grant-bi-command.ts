// airank grant-bi: a role for BI tools that reads the curated views and nothing else.

import { randomBytes } from 'node:crypto';
import { ConfigError, WarehouseError } from '../../core/errors.ts';
import { named, plural } from '../../core/text.ts';
import { roleNameFault } from '../../db/schemas.ts';
import { type GrantedBi, grantBi, readSchemas } from '../../export/grant-bi.ts';
import { defineCommand } from '../define-command.ts';
import { numberFlag } from '../flags.ts';
import { say, show } from '../terminal.ts';
import { demoFlag, useWarehouse, type Which } from '../use-warehouse.ts';

export const command = defineCommand({
  about: 'make a role for BI tools: reads bi and bi_history alone',
  args: [['<role>', 'name of the role; created if it does not exist']],
  flags: {
    '--api': 'also the generated views of schema api',
    '--ops': 'also the budget, the writes and the fields of the data: schema ops',
    '--password-env <name>':
      'environment variable with its password (default: unchanged; a new role gets a random one, printed once)',
    '--timeout-seconds <number>': { about: 'longest statement', default: '60' },
    '--connections <number>': {
      about: 'most connections at once; Metabase holds 15, Superset up to 50',
      default: '20',
    },
    '--own-database': 'take rights from PUBLIC even if the database holds other things',
    ...demoFlag,
  },
  help: `
The role may connect and read, and has no right to write. Its sessions are read
only and in UTC, and a statement that takes longer than the timeout is
cancelled. Schemas sync and snapshot are out of its reach. Run it again to take
back what was granted with --api or --ops, and what the role changed of its own
settings.

Temporary tables, schema public, large objects and advisory locks are open to
every role by PUBLIC, and cannot be taken from one alone. In a database that
holds nothing but the warehouse they are taken from PUBLIC, and the role of
DATABASE_URL keeps them; in one that is shared they stay, and what is left open
is printed.

If the role of DATABASE_URL may not create roles, the statements for the
administrator of the server go to stdout, and the exit code is 1. Run it again
once they have been run.

No right prevents these: a session may set its own statement_timeout to 0,
switch read only off (and still write nothing), and NOTIFY; and every role sees
the names of tables in the catalog. Keep the password where only the BI tool
reads it.

Examples:
  $ airank grant-bi metabase
  $ export METABASE_PASSWORD=…
  $ airank grant-bi metabase --api --password-env METABASE_PASSWORD`,
  async run({ terminal, flags }, role) {
    const fault = roleNameFault(role);
    const faults = fault === undefined ? [] : [fault];
    const seconds = numberFlag('--timeout-seconds', flags.timeoutSeconds, { min: 1, max: 86_400 }, faults);
    const connections = numberFlag('--connections', flags.connections, { min: 1, max: 10_000 }, faults);
    const given = flags.passwordEnv === undefined ? undefined : terminal.env[flags.passwordEnv];
    if (flags.passwordEnv !== undefined && (given === undefined || given === '')) {
      faults.push(`Expected the environment variable ${flags.passwordEnv} to hold the password, got nothing`);
    }
    if (faults.length > 0) throw new ConfigError(faults);
    await useWarehouse(terminal, flags, { schema: 'migrate' }, async ({ db, url, embedded }) => {
      const grant = {
        name: role,
        api: flags.api === true,
        ops: flags.ops === true,
        statementTimeoutMs: (seconds ?? 60) * 1000,
        connections: connections ?? 20,
        ownDatabase: flags.ownDatabase === true,
      };
      const firstPassword = randomBytes(18).toString('base64url');
      const granted = await grantBi(db, { ...grant, password: given, firstPassword });
      if (granted.forAdmin.length > 0) {
        terminal.stdout.write(`${granted.forAdmin.join('\n')}\n`);
        throw new WarehouseError(
          'The role of DATABASE_URL is not allowed to create roles. Ask the administrator of the server to run the statements ' +
            `above and to give the role a password, then run airank grant-bi ${role} again to let it read`,
        );
      }
      const schemas = new Intl.ListFormat('en-GB').format(readSchemas(grant));
      const said = [
        `Role ${role} reads the views of ${schemas}, statements up to ${plural(seconds ?? 60, 'second')}.`,
        ...addressLines(url, embedded, flags),
      ];
      show(terminal, said.join('\n'));
      for (const line of openLines(granted)) say(terminal, line);
      if (given !== undefined && granted.isPasswordSet) return;
      show(
        terminal,
        granted.isPasswordSet
          ? `Its password, shown this once: ${firstPassword}`
          : `Its password is unchanged; ${given === undefined ? '--password-env sets another one' : 'only the administrator of the server can set another one'}.`,
      );
    });
  },
});

/** The address for a BI tool on this machine. */
function addressLines(url: string, embedded: boolean, { demo }: Which): string[] {
  const { hostname, port, pathname } = new URL(url);
  const database = decodeURIComponent(pathname.slice(1));
  const address = `Connect to host ${hostname || 'localhost'}, port ${port || '5432'}, database ${database}.`;
  return embedded
    ? [
        address,
        `The embedded Postgres answers there while a command runs: airank dashboard --serve${demo ? ' --demo' : ''}`,
      ]
    : [address];
}

const mostOthers = 3;

/** Says which rights the role has beyond reading, why they stay, and how to remove them. */
export function openLines({
  others,
  open,
  otherDatabases,
}: Pick<GrantedBi, 'others' | 'open' | 'otherDatabases'>): string[] {
  const why =
    others.length > 0
      ? `This database holds other things as well (${named(others, mostOthers)}), so rights of PUBLIC were left as they are`
      : 'The role of DATABASE_URL cannot take every right of PUBLIC';
  return [
    ...(open.length === 0 ? [] : [`! ${why}. Like every other role, it may:`]),
    ...open.map(({ may, fix }) => `    ${may}; to prevent it: ${fix}`),
    ...(otherDatabases.length === 0
      ? []
      : [
          `! Like every role, it may also connect to other databases of this server: ${named(otherDatabases, mostOthers)}. ` +
            'To prevent it: a line in pg_hba.conf, or revoke connect on database … from public',
        ]),
  ];
}
