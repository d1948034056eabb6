// The clients that a warehouse has, if it answers at once; nothing is started for them.

import { type KnownClient, readClientNames } from '../../alerts/store/notes.ts';
import type { Config } from '../../config/config.ts';
import { createDatabase } from '../../db/database.ts';
import { knownUrl } from '../../db/embedded/open.ts';
import { createPool } from '../../db/pool.ts';

/** For each of connecting and reading: a person waits. */
const longestMs = 200;

/** @throws where it does not answer, or is older than this version */
export async function storedClients({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<readonly KnownClient[]> {
  const url = databaseUrl?.reveal() ?? (await knownUrl(dataDir));
  if (url === undefined) return [];
  const pool = createPool({
    connectionString: url,
    max: 1,
    applicationName: 'airank-completion',
    statementTimeoutMs: longestMs,
    connectTimeoutMs: longestMs,
  });
  try {
    return await readClientNames(createDatabase(pool));
  } finally {
    await pool.end().catch(() => undefined);
  }
}
