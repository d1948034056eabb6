// The password of the cluster, made once and stored in a file that only its user can read.
import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { WarehouseError } from '../../core/errors.ts';

/** The password in `file`; undefined when there is none. Its characters need no escaping in a URL. */
export async function readPassword(file: string): Promise<string | undefined> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    return text === '' ? undefined : text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'EACCES') throw error;
    throw new WarehouseError(
      `${file} belongs to another user, and so does the warehouse beside it. Run airank as that user, or ` +
        'choose another data folder.',
      {},
      { cause: error },
    );
  }
}

/** Makes a password and stores it durably, before any cluster depends on it. */
export async function createPassword(file: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${password}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return password;
}
