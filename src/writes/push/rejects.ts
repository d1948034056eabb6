// Lines that could not be read, in a file that only its owner may read: they may hold addresses.
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError, messageOf } from '../../core/errors.ts';
import type { RejectedLine } from '../logs/log-chunk.ts';

export interface Rejects {
  /** Where they are; undefined: there was none. */
  path(): string | undefined;
  add(name: string, line: RejectedLine): void;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

/** Appends to the file, which is made with the first line. */
export function createRejects(path: string): Rejects {
  let file: Promise<FileHandle> | undefined;
  let written: Promise<unknown> = Promise.resolve();
  return {
    path: () => (file === undefined ? undefined : path),
    add(name, { fromByte, why, text }) {
      file ??= openRejects(path);
      const opened = file;
      const line = `${name}\t${fromByte}\t${why}\t${text}\n`;
      written = written.then(async () => (await opened).write(line));
      // Told by close().
      written.catch(() => undefined);
    },
    async close() {
      if (file === undefined) return;
      try {
        await written;
      } finally {
        await (await file).close();
      }
    },
  };
}

async function openRejects(path: string): Promise<FileHandle> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return await open(path, 'a', 0o600);
  } catch (error) {
    throw new ConfigError([
      `Expected a file for lines that cannot be read, got "${messageOf(error)}" for ${path}. Name another one with --rejects`,
    ]);
  }
}
