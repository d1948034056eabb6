// A backup that is read: a file, or stdin.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ConfigError } from '../../core/errors.ts';
import type { BackupSource } from '../../retention/backup/read-blocks.ts';
import type { Terminal } from './context.ts';

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
    const got = found === undefined ? 'which is not there' : 'which is a folder';
    throw new ConfigError([`Expected <file> to be a backup, got ${JSON.stringify(given)}, ${got}`]);
  }
  return { bytes: createReadStream(file, { highWaterMark: pieceBytes }), name: given };
}
