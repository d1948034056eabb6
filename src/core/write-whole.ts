// Writes a file whole or not at all.
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Under a name that nobody else has until it is complete, so that half a file is never used. */
export async function writeWhole(
  file: string,
  parts: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): Promise<void> {
  const unfinished = `${file}.${randomBytes(6).toString('hex')}.part`;
  // It holds figures of clients.
  const handle = await open(unfinished, 'wx', 0o640);
  try {
    await pipeline(parts, handle.createWriteStream());
    await rename(unfinished, file);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}
