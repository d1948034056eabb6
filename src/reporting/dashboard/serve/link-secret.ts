// The secret that signs links: of the settings, or made once in a file that only its user reads.
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, WarehouseError } from '../../../core/errors.ts';

const fileName = 'dashboard-secret';

/** @throws WarehouseError when the file can neither be read nor made */
export async function readLinkSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, fileName);
  try {
    return (await read(file)) ?? (await make(dataDir, file));
  } catch (error) {
    throw new WarehouseError(
      `The secret of links cannot be stored in ${file}: ${messageOf(error)}. Set AIRANK_DASHBOARD_SECRET, ` +
        'or AIRANK_DATA_DIR to a folder that can be written',
      {},
      { cause: error },
    );
  }
}

async function read(file: string): Promise<string | undefined> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    return text.length >= 32 ? text : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Two that make it at once end with the same one: whoever links first wins. */
async function make(dataDir: string, file: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const own = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(own, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    await link(own, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(own, { force: true });
  }
  const made = await read(file);
  if (made === undefined) throw new Error('it holds no secret of at least 32 characters');
  return made;
}
