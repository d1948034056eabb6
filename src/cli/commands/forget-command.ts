// airank forget: deletes everything of a client, and says what.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../../core/clock.ts';
import { ConfigError } from '../../core/errors.ts';
import { packageVersion } from '../../core/package-version.ts';
import { writeWhole } from '../../core/write-whole.ts';
import { unblockClient } from '../../retention/forget/block-client.ts';
import { forgetClient } from '../../retention/forget/forget-client.ts';
import { certificate, forgottenLines } from '../print/certificate.ts';
import { checkOutputFile } from '../setup/check-output.ts';
import { chooseForgotten } from '../setup/choose-forgotten.ts';
import { confirm } from '../setup/confirm.ts';
import type { Terminal } from '../setup/context.ts';
import { demoFlag, useWarehouse } from '../setup/use-warehouse.ts';

interface Flags {
  readonly client: string;
  readonly account?: string;
  readonly text?: true;
  readonly name: readonly string[];
  readonly yes?: true;
  readonly output?: string;
  readonly withId?: true;
  readonly unblock?: true;
  readonly demo?: true;
}

export function addForgetCommand(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('forget')
    .description('delete everything of a client for good, and block it from coming back')
    .requiredOption('--client <id>', 'identifier or name of the client')
    .option('--account <name>', 'account, where there are several')
    .option('--text', 'also take its id and names out of records of the account')
    .option('--name <text>', 'another name to look for; may be given again', addName, [])
    .option('--output <file>', 'certificate as JSON (default: forgotten-<time>.json)')
    .option('--with-id', 'the certificate names the id, not only its keyed hash')
    .option('--yes', 'do not ask')
    .option('--unblock', 'delete nothing; let the next sync bring the client back')
    .option(...demoFlag)
    .addHelpText(
      'after',
      `
Records, typed rows, slices, alerts, notes and mailed reports of the client go,
from all schemas, its row of the list of clients and records of the account
that say they are its own included. After a stop, run it again.
Backups, exports, reports and dashboards made before are not reached.

Examples:
  $ airank forget --client 7
  $ airank forget --client 7 --account north --text --name "Acme Ltd" --yes
  $ airank forget --client 7 --unblock`,
    )
    .action(async (flags: Flags) => {
      const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
      const file = resolve(terminal.cwd, flags.output ?? `forgotten-${time}.json`);
      if (flags.unblock !== true) await checkOutputFile(file, flags.output);
      await useWarehouse(terminal, flags, { schema: 'migrate', locks: true }, async ({ pool, db }) => {
        const client = await chooseForgotten(db, flags);
        const { account, clientId } = client;
        if (flags.unblock === true) {
          if (!(await unblockClient(db, client))) {
            throw new ConfigError([
              `Expected --client to be one that is forgotten, got "${flags.client}". Nothing was changed`,
            ]);
          }
          terminal.stdout.write(`Client ${clientId} of account ${account} comes back with the next sync\n`);
          return;
        }
        const text = `Deletes everything of client ${clientId} of account ${account}. It cannot be taken back.`;
        if (!(await confirm(terminal, { text, answer: clientId, isYes: flags.yes === true }))) {
          terminal.stderr.write('Nothing was changed\n');
          return end(1);
        }
        const isText = flags.text === true;
        const sleep = (ms: number) => systemClock.sleep(ms, terminal.signal);
        const forgotten = await forgetClient(pool, db, { ...client, names: flags.name, isText, sleep });
        const of = {
          account,
          clientId: flags.withId ? clientId : undefined,
          isText,
          version: packageVersion(),
        };
        await writeWhole(file, [`${JSON.stringify(certificate(forgotten, of), null, 2)}\n`]);
        terminal.stdout.write(`${forgottenLines(forgotten, of).join('\n')}\nCertificate: ${file}\n`);
      });
    });
}

function addName(name: string, names: readonly string[]): readonly string[] {
  return [...names, name];
}
