// airank backup verify, and airank restore --verify: reads a backup to its last byte and says whether it is whole.
import type { Command } from 'commander';
import { moment } from '../../core/moment.ts';
import { collect } from '../../retention/backup/contents.ts';
import { decodeBackup } from '../../retention/backup/decode-backup.ts';
import { watchParts } from '../../retention/backup/watch-parts.ts';
import { createBackupProgress } from '../print/backup-progress.ts';
import { contentsJson, contentsText } from '../print/print-backup.ts';
import { openBackup } from '../setup/backup-source.ts';
import type { Terminal } from '../setup/context.ts';

interface VerifyFlags {
  readonly json?: true;
}

export function addVerifyCommand(backup: Command, terminal: Terminal): void {
  backup
    .command('verify')
    .description('only read a backup, to the last byte, and say whether it is whole')
    .argument('<file>', 'what airank backup wrote; - is stdin')
    .option('--json', 'print what it holds as JSON on stdout')
    .addHelpText(
      'after',
      `
Needs no database and changes nothing. The same as airank restore --verify.

Examples:
  $ airank backup verify warehouse.gz
  $ ssh backup.example.com "cat warehouse.gz" | airank backup verify - --json`,
    )
    .action(async (given: string, _: unknown, command: Command) => {
      const flags: VerifyFlags = command.optsWithGlobals();
      await verifyBackup(terminal, given, flags);
    });
}

export async function verifyBackup(terminal: Terminal, given: string, flags: VerifyFlags): Promise<void> {
  const source = await openBackup(terminal, given);
  const progress = createBackupProgress(terminal.stderr, terminal.signal);
  const { parts, contents } = collect(watchParts(decodeBackup(source), progress.listen));
  try {
    for await (const _ of parts);
  } finally {
    progress.stop();
  }
  const whole = contents();
  if (whole === undefined) throw new Error('the backup was not read to its end');
  const { header } = whole;
  const by = `airank-warehouse ${header.airank_version} on Postgres ${header.postgres_version}`;
  terminal.stdout.write(
    flags.json
      ? `${JSON.stringify(contentsJson(whole), null, 2)}\n`
      : `${source.name} is whole: ${contentsText(whole)}, made ${moment(new Date(header.made_at))} by ${by}\n`,
  );
}
