// The package's own folder, from the sources as well as from the build, and files that are written whole or not at all.

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { valueAt } from './json.ts';

export function packageVersion(): string {
  return String(valueAt(JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')), ['version']));
}

/** The folder that holds package.json, sql/ and jobs/. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('package.json not found above the program');
    folder = parent;
  }
  return folder;
}

interface WholeFile {
  /** Default: the owner writes, the group reads, because it holds figures of clients. */
  readonly mode?: number;
  /** Syncs to disc before it gets its name, so that a power cut leaves no empty file. Default: no. */
  readonly isDurable?: boolean;
}

/** Writes under a name that nobody else has until it is complete, so that half a file is never used. */
export async function writeWhole(
  file: string,
  parts: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  { mode = 0o640, isDurable = false }: WholeFile = {},
): Promise<void> {
  const unfinished = `${file}.${randomBytes(6).toString('hex')}.part`;
  const handle = await open(unfinished, 'wx', mode);
  try {
    await pipeline(parts, handle.createWriteStream());
    if (isDurable) await syncToDisc(unfinished);
    await rename(unfinished, file);
    if (isDurable) await syncFolder(dirname(file));
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Syncs a file whose stream has closed its handle. */
async function syncToDisc(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Puts the name itself on the disc. Windows and some network drives open no folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
