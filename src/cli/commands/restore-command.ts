// airank restore: a backup into an empty database.

import { decodeBackup, watchParts } from '../../backup/backup-file.ts';
import { restore } from '../../backup/restore.ts';
import { duration, moment, plural } from '../../core/text.ts';
import { readSettings, streamNames, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { say } from '../terminal.ts';
import { contentsJson, contentsText, createBackupProgress, openBackup } from './backup-verify.ts';

export const command = defineCommand({
  about: 'bring a backup into an empty database',
  args: [['<file>', 'what airank backup wrote; - is stdin']],
  flags: { '--json': 'print what it holds as JSON on stdout' },
  help: `
All of it or nothing: a restore that fails, is stopped or is killed leaves the
database as it was, and can be run again. One that holds data is refused. A
backup of an older release is brought to this one's schema.

Examples:
  $ airank backup verify warehouse.gz
  $ AIRANK_DATA_DIR=restored airank restore warehouse.gz
  $ DATABASE_URL=postgres://owner@db.example.com/new airank restore warehouse.gz
  $ ssh backup.example.com "cat warehouse.gz" | airank restore -`,
  async run({ terminal, print }, given) {
    const settings = readSettings(terminal, { needAccounts: false });
    const source = await openBackup(terminal, given);
    const startedAt = Date.now();
    return await withWarehouse(terminal, settings, { schema: 'leave' }, async ({ pool }) => {
      const progress = createBackupProgress(terminal.stderr, terminal.signal);
      const { parts, contents } = watchParts(decodeBackup(source), progress.listen);
      const { applied, failed } = await restore(pool, parts, streamNames(settings)).finally(progress.stop);
      for (const { source: of, error } of failed) {
        say(terminal, `The views of ${of} could not be made: ${error}. Run: airank migrate`);
      }
      const whole = contents();
      const tookMs = Date.now() - startedAt;
      print({ ...contentsJson(whole), applied, took_ms: tookMs }, [
        `Restored ${contentsText(whole)}, as of ${moment(new Date(whole.header.made_at))}, in ${duration(tookMs)}`,
        ...(applied.length === 0
          ? []
          : [`Applied ${plural(applied.length, 'migration')}: ${applied.join(', ')}`]),
        'A backup holds no roles; to let one read again: airank grant-bi ROLE',
      ]);
      return failed.length === 0 ? 0 : 1;
    });
  },
});
