// Lines that could not be read, in a file that only its owner may read: they may hold addresses.
import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError, messageOf } from '../../core/errors.ts';
import { oneLine } from '../../core/text.ts';
import type { RejectedLine } from '../logs/log-chunk.ts';

export interface Rejects {
  /** Where they are; undefined: there was none. */
  path(): string | undefined;
  /** @throws ConfigError when the file cannot be written */
  add(name: string, line: RejectedLine): void;
  /** Writes what is not written yet. */
  close(): Promise<void>;
}

const heldCharacters = 65_536;
const ownerOnly = 0o600;

/** Appends to the file, which is made with the first line. Written at once, so that a log of them takes no memory. */
export function createRejects(path: string): Rejects {
  let file: number | undefined;
  let held = '';
  const write = () => {
    if (file === undefined || held === '') return;
    const text = held;
    held = '';
    writeAll(path, file, Buffer.from(text));
  };
  return {
    path: () => (file === undefined ? undefined : path),
    add(name, { fromByte, why, text }) {
      file ??= openRejects(path);
      // An element of JSON may have several lines.
      held += `${oneLine(name)}\t${fromByte}\t${why}\t${text.replaceAll(/[\r\n]+/g, ' ')}\n`;
      if (held.length >= heldCharacters) write();
    },
    async close() {
      if (file === undefined) return;
      try {
        write();
      } finally {
        closeSync(file);
      }
    },
  };
}

function openRejects(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(path, 'a', ownerOnly);
    const facts = fstatSync(file);
    // It may be there already, from before or from somebody else.
    if (facts.isFile() && (facts.mode & 0o077) !== 0) fchmodSync(file, ownerOnly);
    return file;
  } catch (error) {
    throw notWritable(path, error);
  }
}

function writeAll(path: string, file: number, bytes: Buffer): void {
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  } catch (error) {
    throw notWritable(path, error);
  }
}

function notWritable(path: string, error: unknown): ConfigError {
  return new ConfigError([
    `Expected a file for lines that cannot be read, got "${messageOf(error)}" for ${path}. Name another one with --rejects`,
  ]);
}
