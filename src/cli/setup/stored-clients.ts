// The clients that a warehouse has, if it answers at once; nothing is started for them.
import type { Config } from '../../config/config.ts';
import { type KnownClient, readClientNames } from '../../warehouse/alerts/read-client-names.ts';
import { createDatabase } from '../../warehouse/connection/database.ts';
import { createPool } from '../../warehouse/connection/pool.ts';
import { knownUrl } from '../../warehouse/embedded/known-url.ts';

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
