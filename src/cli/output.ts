// The target of a command's output: stdout, or a file or folder that is checked before the work begins.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigError } from '../core/errors.ts';
import { codeOf } from '../db/sqlstate.ts';
import type { Terminal } from './terminal.ts';

/**
 * @param name of the flag or argument
 * @param given as the user wrote it; undefined: not given, so the file goes into the working folder
 * @throws ConfigError if a file cannot be written there
 */
export async function checkOutputFile(
  file: string,
  given: string | undefined,
  name = '--output',
): Promise<void> {
  const got = JSON.stringify(given);
  if ((await kindOf(file)) === 'folder') {
    throw new ConfigError([`Expected ${name} to be a file, got the folder ${got}`]);
  }
  const folder = dirname(file);
  if ((await kindOf(folder)) !== 'folder') {
    throw new ConfigError([
      `Expected ${name} to be in a folder that exists, got ${got}. Create the folder first`,
    ]);
  }
  const refused = await refusalOf(folder);
  if (refused === undefined) return;
  throw new ConfigError([
    given === undefined
      ? `Cannot write to the folder ${JSON.stringify(folder)} (${refused}). Choose another one with ${name}`
      : `Expected ${name} to be in a folder that can be written to, got ${got} (${refused})`,
  ]);
}

/**
 * Checks a folder that may not exist yet.
 * @throws ConfigError if no file could be written into it
 */
export async function checkOutputFolder(folder: string, given: string): Promise<void> {
  const got = JSON.stringify(given);
  const kind = await kindOf(folder);
  if (kind === 'other') throw new ConfigError([`Expected --output to be a folder, got the file ${got}`]);
  if (kind === undefined && dirname(folder) !== folder) {
    return await checkOutputFolder(dirname(folder), given);
  }
  const refused = await refusalOf(folder);
  if (refused === undefined) return;
  throw new ConfigError([`Expected --output to be a folder that can be written to, got ${got} (${refused})`]);
}

/** Undefined: the path does not exist. */
async function kindOf(path: string): Promise<'folder' | 'other' | undefined> {
  return await stat(path).then(
    (found) => (found.isDirectory() ? 'folder' : 'other'),
    () => undefined,
  );
}

/** Permissions are not enough: the file system may be read-only. */
async function refusalOf(folder: string): Promise<string | undefined> {
  const probe = join(folder, `.airank-${randomBytes(6).toString('hex')}.part`);
  try {
    const handle = await open(probe, 'wx');
    await handle.close();
    await rm(probe, { force: true });
    return undefined;
  } catch (error) {
    return codeOf(error) ?? 'access refused';
  }
}

/**
 * Writes to stdout as fast as its reader takes it. Ends early and quietly if the reader has gone (`| head`).
 */
export async function writeOut(
  { stdout, signal }: Terminal,
  parts: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  stdout.on('error', leave).on('close', leave);
  try {
    for await (const part of parts) {
      if (gone.signal.aborted) return;
      if (!stdout.write(part))
        await once(stdout, 'drain', { signal: AbortSignal.any([signal, gone.signal]) });
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    stdout.off('error', leave).off('close', leave);
  }
}
