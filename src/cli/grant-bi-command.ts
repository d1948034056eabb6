// airank grant-bi: a role for BI tools that reads the curated views and nothing else.
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { ConfigError } from '../core/errors.ts';
import { grantBi } from '../warehouse/grant-bi.ts';
import { readSettings, type Terminal, withWarehouse } from './context.ts';
import { numberFlag } from './number-flags.ts';

interface GrantFlags {
  readonly api?: true;
  readonly passwordEnv?: string;
  readonly timeoutSeconds: string;
}

export function addGrantBiCommand(program: Command, terminal: Terminal): void {
  program
    .command('grant-bi')
    .description('make a role for BI tools: reads the views of bi, nothing else')
    .argument('<role>', 'name of the role; made if there is none')
    .option('--api', 'also the generated views of schema api')
    .option(
      '--password-env <name>',
      'environment variable with its password (default: a new role gets a random one, printed once)',
    )
    .option('--timeout-seconds <number>', 'longest statement', '60')
    .addHelpText(
      'after',
      `
The role may connect and read; its sessions are read only, and a statement that
takes longer than the timeout is cancelled. Schemas sync and snapshot are out of
its sight. Run it again to take back what was granted with --api.

Temporary tables are taken from PUBLIC in this database, because that right cannot
be taken from one role alone; the role of DATABASE_URL keeps it.

Examples:
  $ airank grant-bi metabase
  $ METABASE_PASSWORD=… airank grant-bi metabase --api --password-env METABASE_PASSWORD`,
    )
    .action(async (role: string, flags: GrantFlags) => {
      const faults: string[] = [];
      const seconds = numberFlag('--timeout-seconds', flags.timeoutSeconds, { min: 1, max: 86_400 }, faults);
      const given = flags.passwordEnv === undefined ? undefined : terminal.env[flags.passwordEnv];
      if (flags.passwordEnv !== undefined && (given === undefined || given === '')) {
        faults.push(
          `Expected the environment variable ${flags.passwordEnv} to hold the password, got nothing`,
        );
      }
      if (faults.length > 0) throw new ConfigError(faults);
      const settings = readSettings(terminal, { needAccounts: false });
      await withWarehouse(terminal, settings, {}, async ({ db }) => {
        const grant = { name: role, api: flags.api === true, statementTimeoutMs: (seconds ?? 60) * 1000 };
        const { created } = await grantBi(db, { ...grant, password: given });
        const schemas = grant.api ? 'bi and api' : 'bi';
        terminal.stdout.write(
          `Role ${role} reads the views of ${schemas}, statements up to ${seconds} seconds.\n`,
        );
        if (!created || given !== undefined) return;
        const password = randomBytes(18).toString('base64url');
        await grantBi(db, { ...grant, password });
        terminal.stdout.write(`Its password, shown this once: ${password}\n`);
      });
    });
}
