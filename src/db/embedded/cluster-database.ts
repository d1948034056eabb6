// Opens the cluster with its password, makes sure that it is the right one, and creates the database.
import { realpath } from 'node:fs/promises';
import pg from 'pg';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { role } from './cluster.ts';
import type { ServerHome } from './server-home.ts';

export interface ClusterAddress {
  readonly port: number;
  readonly password: string;
}

/** Worth finding or starting the server again. */
export class ServerGoneError extends WarehouseError {}

export function clusterUrl(address: ClusterAddress, database: string): string {
  return `postgresql://${role}:${address.password}@127.0.0.1:${address.port}/${encodeURIComponent(database)}`;
}

/** Of the server itself: nobody keeps anything in it. */
const ownDatabase = 'postgres';

/**
 * Creates `database` when it is absent, or opens the server's own; the server's version is such as `18.4`.
 * @throws ServerGoneError when the server went away, or was about to, while being asked
 */
export async function ensureDatabase(
  home: ServerHome,
  address: ClusterAddress,
  { database, isCreated }: { readonly database: string; readonly isCreated: boolean },
): Promise<{ readonly version: string; readonly opened: string }> {
  const client = new pg.Client({
    connectionString: clusterUrl(address, ownDatabase),
    application_name: 'airank',
    connectionTimeoutMillis: 30_000,
  });
  // Without a listener a lost connection ends the process; the query under way rejects anyway.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const answer = await client.query<{ folder: string; version: string; present: boolean }>(
      `select current_setting('data_directory') as folder,
              split_part(current_setting('server_version'), ' ', 1) as version,
              exists (select from pg_database where datname = $1) as present`,
      [database],
    );
    const [row] = answer.rows;
    if (row === undefined) throw new Error('no row from a select without a table');
    await assertSameFolder(row.folder, home.dataFolder, address.port);
    if (row.present) return { version: row.version, opened: database };
    if (!isCreated) return { version: row.version, opened: ownDatabase };
    await client.query(`create database ${pg.escapeIdentifier(database)}`);
    return { version: row.version, opened: database };
  } catch (error) {
    if (error instanceof WarehouseError) throw error;
    throw explain(error, home, address.port);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function assertSameFolder(found: string, expected: string, port: number): Promise<void> {
  // Windows writes the same folder with other slashes and letter cases.
  if (process.platform === 'win32' || found === expected || found === (await realpath(expected))) return;
  throw new WarehouseError(
    `Expected the server on port ${port} to serve ${expected}, got one that serves ${found}. ` +
      `If no Postgres runs on the expected folder, delete its postmaster.pid and run the command again.`,
  );
}

function explain(error: unknown, home: ServerHome, port: number): WarehouseError {
  const invalidPassword = '28P01';
  const code = error instanceof pg.DatabaseError ? error.code : undefined;
  if (code === invalidPassword) {
    return new WarehouseError(
      `The Postgres in ${home.dataFolder} refuses the password in the data folder's file "password". ` +
        'Bring back the file that belongs to it.',
      {},
      { cause: error },
    );
  }
  // Not an answer of the server at all, or 57P01 to 57P03: shut down, crashed, not ready.
  const isGone = code === undefined || /^57P0[123]$/.test(code);
  return new (isGone ? ServerGoneError : WarehouseError)(
    `The Postgres in ${home.dataFolder} runs on port ${port} and cannot be used: ${messageOf(error)}. ` +
      `See ${home.logFile}.`,
    {},
    { cause: error },
  );
}
