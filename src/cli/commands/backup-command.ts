// airank backup: the whole warehouse as one file.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { backUp, backUpToFile } from '../../backup/back-up.ts';
import { ConfigError, messageOf } from '../../core/errors.ts';
import { bytes, duration } from '../../core/text.ts';
import { noteBackup } from '../../status/job-runs.ts';
import { defineCommand } from '../define-command.ts';
import { checkOutputFile, writeOut } from '../output.ts';
import { say, type Terminal } from '../terminal.ts';
import { demoFlag, useWarehouse } from '../use-warehouse.ts';
import { contentsJson, contentsText, createBackupProgress, verifyCommand } from './backup-verify.ts';

export const command = defineCommand({
  about: 'write the whole warehouse to one file, while syncs go on',
  args: [['<file>', 'a new file, written whole or not at all; - is stdout']],
  flags: {
    '--overwrite': 'replace an existing file',
    ...demoFlag,
    '--json': 'print what it holds as JSON on stdout',
  },
  help: `
Holds one state of everything: records of all dates, bookkeeping, mapping,
notes and alerts. No key, password or address of a database is in it, and no
role. It is a gzip of COPY with digests; airank restore reads it, into any
Postgres from 14 on, and airank backup verify checks it.

Examples:
  $ airank backup warehouse.gz
  $ airank backup "warehouse-$(date +%F).gz" --json
  $ airank backup verify warehouse.gz
  $ airank backup - | ssh backup.example.com "cat > warehouse.gz"`,
  async run({ terminal, flags, print }, given) {
    await checkFile(terminal, given, flags);
    await useWarehouse(terminal, flags, { schema: 'leave' }, async ({ pool, db }) => {
      const startedAt = Date.now();
      const progress = createBackupProgress(terminal.stderr, terminal.signal);
      const file = given === '-' ? null : resolve(terminal.cwd, given);
      const work =
        file === null
          ? backUp(pool, (encoded) => writeOut(terminal, encoded), progress.listen)
          : backUpToFile(pool, file, given, progress.listen);
      const done = { bytes: null, ...(await work.finally(progress.stop)) };
      const note = { file, bytes: done.bytes, made_at: done.header.made_at };
      await noteBackup(db, note).catch((error: unknown) => {
        say(terminal, `airank status will not show this backup: ${messageOf(error)}`);
      });
      const tookMs = Date.now() - startedAt;
      const text = contentsText(done);
      if (done.bytes === null) {
        say(terminal, `${text}, in ${duration(tookMs)}`);
        return;
      }
      print(
        { file: given, bytes: done.bytes, ...contentsJson(done), took_ms: tookMs },
        `${given}: ${text}, ${bytes(done.bytes)}, in ${duration(tookMs)}`,
      );
    });
  },
  commands: { verify: verifyCommand },
});

/** @throws ConfigError if the file cannot be written, or exists and is not to be overwritten */
async function checkFile(
  terminal: Terminal,
  given: string,
  flags: { readonly overwrite?: true; readonly json?: true },
): Promise<void> {
  if (given === '-') {
    if (terminal.stdout.isTTY)
      throw new ConfigError(['Expected <file> to be a file or a pipe, got a terminal']);
    if (flags.json) throw new ConfigError(['Expected no --json with -: the backup itself goes to stdout']);
    return;
  }
  const file = resolve(terminal.cwd, given);
  await checkOutputFile(file, given, '<file>');
  if (existsSync(file) && !flags.overwrite) {
    throw new ConfigError([
      `The file ${JSON.stringify(given)} already exists. Choose another name, or use --overwrite`,
    ]);
  }
}
