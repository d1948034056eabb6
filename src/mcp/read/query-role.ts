// The login role of query_bi in the embedded Postgres, made at its first call. Nobody else knows its
// password.
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import type { Executor } from '../../db/database.ts';
import { grantBi } from '../../export/grant-bi.ts';

/** A role belongs to the whole server, not to one database. */
const queryRole = 'airank_mcp';

/**
 * Makes the role.
 * @param url of the warehouse's own role
 * @returns the address with the new role
 * @throws WarehouseError if it cannot be made one that only reads
 */
export async function embeddedQueryUrl(db: Executor, url: string, dataDir: string): Promise<string> {
  const password = await readPassword(join(dataDir, 'mcp-password'));
  const role = { name: queryRole, api: false, connections: 4, statementTimeoutMs: 3_000 };
  await grantBi(db, { ...role, password });
  const address = new URL(url);
  address.username = queryRole;
  address.password = encodeURIComponent(password);
  return address.href;
}

/**
 * Reads a random password from a file that only its user may read; makes it once.
 * @throws WarehouseError when the file can neither be read nor made
 */
export async function readPassword(file: string): Promise<string> {
  try {
    return (await read(file)) ?? (await make(file));
  } catch (error) {
    throw new WarehouseError(
      `The password of query_bi cannot be stored in ${file}: ${messageOf(error)}. Set AIRANK_DATA_DIR to a folder that can be written`,
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

/** If two processes make it at once, both end with the same one: whoever links first wins. */
async function make(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
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
