// Where the embedded Postgres answers when it runs. Starts nothing and looks at no process: whoever connects finds out.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterUrl } from './cluster-database.ts';
import { readPassword } from './password.ts';

/** Undefined where there never was one. */
export async function knownUrl(dataDir: string, database = 'airank'): Promise<string | undefined> {
  const password = await readPassword(join(dataDir, 'password'));
  const port = Number(await readFile(join(dataDir, 'port'), 'utf8').catch(() => ''));
  return password === undefined || !Number.isInteger(port) || port <= 0
    ? undefined
    : clusterUrl({ port, password }, database);
}
