// airank restore: a backup into an empty database, or only read.
import { moment, plural } from '../../core/text.ts';
import { watchParts } from '../../retention/backup/backup-parts.ts';
import { decodeBackup } from '../../retention/backup/decode-backup.ts';
import { type Finished, finishRestore, loadWarehouse } from '../../retention/backup/load-warehouse.ts';
import { readSettings, streamNames, type Terminal, withWarehouse } from '../context.ts';
import { type Call, defineCommand } from '../define-command.ts';
import { duration } from '../print/table.ts';
import {
  contentsJson,
  contentsText,
  createBackupProgress,
  openBackup,
  verifyBackup,
} from './backup-verify.ts';

export const command = defineCommand({
  about: 'bring a backup into an empty database',
  args: [['<file>', 'what airank backup wrote; - is stdin']],
  flags: {
    '--verify': 'only read it, to the last byte, and say whether it is whole',
    '--json': 'print what it holds as JSON on stdout',
  },
  help: `
All of it or nothing: a restore that is stopped or killed leaves the database
empty, and can be run again. A database that holds data is refused. A backup
of an older release is brought to this one's schema.

Examples:
  $ airank restore --verify warehouse.gz
  $ AIRANK_DATA_DIR=restored airank restore warehouse.gz
  $ DATABASE_URL=postgres://owner@db.example.com/new airank restore warehouse.gz
  $ ssh backup.example.com "cat warehouse.gz" | airank restore -`,
  run: async (call, given) =>
    call.flags.verify ? await verifyBackup(call, given) : await restore(call, given),
});

async function restore({ terminal, print }: Call, given: string): Promise<number> {
  const settings = readSettings(terminal, { needAccounts: false });
  const source = await openBackup(terminal, given);
  const startedAt = Date.now();
  return await withWarehouse(terminal, settings, { schema: 'leave' }, async ({ pool }) => {
    const progress = createBackupProgress(terminal.stderr, terminal.signal);
    const watched = watchParts(decodeBackup(source), progress.listen);
    const loaded = await loadWarehouse(pool, watched).finally(progress.stop);
    const finished = await finishRestore(pool, streamNames(settings));
    sayUnfinished(terminal, finished);
    const { applied } = finished;
    const json = { ...contentsJson(loaded), applied, took_ms: Date.now() - startedAt };
    const lines = [
      `Restored ${contentsText(loaded)}, as of ${moment(new Date(loaded.header.made_at))}, in ${duration(Date.now() - startedAt)}`,
      ...(applied.length === 0
        ? []
        : [`Applied ${plural(applied.length, 'migration')}: ${applied.join(', ')}`]),
      'Roles that read it are not in a backup: airank grant-bi ROLE',
    ];
    print(json, lines);
    return finished.failed.length === 0 ? 0 : 1;
  });
}

function sayUnfinished(terminal: Terminal, { failed }: Finished): void {
  for (const { source, error } of failed) {
    terminal.stderr.write(`The views of ${source} could not be made: ${error}. Run: airank migrate\n`);
  }
}
