// Writes a file whole or not at all.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Under another name until it is complete, so that half a file is never used. */
export async function writeWhole(file: string, parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  const unfinished = `${file}.part`;
  try {
    await pipeline(parts, createWriteStream(unfinished));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
