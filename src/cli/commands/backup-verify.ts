// airank backup verify, and what it shares with backup and restore: the source of a backup and its progress.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type BackupProgress,
  type BackupSource,
  type Contents,
  decodeBackup,
  watchParts,
} from '../../backup/backup-file.ts';
import { ConfigError } from '../../core/errors.ts';
import { count, moment, plural } from '../../core/text.ts';
import { defineCommand } from '../define-command.ts';
import { bar, redraw } from '../print/redraw.ts';
import type { Terminal } from '../terminal.ts';

interface BackupProgressLine {
  readonly listen: (progress: BackupProgress) => void;
  stop(): void;
}

/** @param signal ends the work before the next part */
export function createBackupProgress(stderr: NodeJS.WriteStream, signal: AbortSignal): BackupProgressLine {
  let shown: BackupProgress | undefined;
  const { stop } = redraw(stderr, (width) => {
    if (shown === undefined) return [];
    const { share, rows, table } = shown;
    const text = `${Math.floor(share * 100)} %  ${count(rows)} rows  ${table}`.trimEnd();
    return [width === undefined ? text : `${bar(share)} ${text}`];
  });
  return {
    listen: (progress) => {
      signal.throwIfAborted();
      shown = progress;
    },
    stop,
  };
}

const rowsOf = ({ tables }: Contents) => tables.reduce((sum, { rows }) => sum + rows, 0);

export function contentsText(contents: Contents): string {
  return `${plural(rowsOf(contents), 'row')} of ${plural(contents.tables.length, 'table')}`;
}

export function contentsJson(contents: Contents) {
  const { header, tables } = contents;
  return {
    format: header.format,
    made_at: header.made_at,
    airank_version: header.airank_version,
    schema: header.migrations.at(-1),
    rows: rowsOf(contents),
    tables,
  };
}

const pieceBytes = 1 << 18;

/** @throws ConfigError where there is nothing to read */
export async function openBackup(terminal: Terminal, given: string): Promise<BackupSource> {
  if (given === '-') {
    const { stdin } = terminal;
    if (stdin === undefined || stdin.isTTY) {
      throw new ConfigError(['Expected a backup on stdin, got a terminal. Give a file, or pipe one in']);
    }
    return { bytes: stdin, name: 'stdin' };
  }
  const file = resolve(terminal.cwd, given);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.isDirectory()) {
    const got = found === undefined ? 'which does not exist' : 'which is a folder';
    throw new ConfigError([`Expected <file> to be a backup, got ${JSON.stringify(given)}, ${got}`]);
  }
  return { bytes: createReadStream(file, { highWaterMark: pieceBytes }), name: given };
}

export const verifyCommand = defineCommand({
  about: 'only read a backup, to the last byte, and say whether it is whole',
  args: [['<file>', 'what airank backup wrote; - is stdin']],
  flags: { '--json': 'print what it holds as JSON on stdout' },
  help: `
Needs no database and changes nothing.

Examples:
  $ airank backup verify warehouse.gz
  $ ssh backup.example.com "cat warehouse.gz" | airank backup verify - --json`,
  async run({ terminal, print }, given) {
    const source = await openBackup(terminal, given);
    const progress = createBackupProgress(terminal.stderr, terminal.signal);
    const { parts, contents } = watchParts(decodeBackup(source), progress.listen);
    try {
      for await (const _ of parts);
    } finally {
      progress.stop();
    }
    const whole = contents();
    const { airank_version: by, made_at } = whole.header;
    print(
      contentsJson(whole),
      `${source.name} is whole: ${contentsText(whole)}, made ${moment(new Date(made_at))} by airank-warehouse ${by}`,
    );
  },
});
