// The lock of a demo: one process holds it as long as it lives, and the server frees it when the connection
// ends.
import pg from 'pg';
import { createClient } from './pool.ts';

/**
 * Returns the address of the new, empty database.
 * @param adminUrl another database of the same server, of a role that may create databases
 */
export async function recreateDatabase(adminUrl: string, database: string): Promise<string> {
  const name = pg.escapeIdentifier(database);
  const client = createClient({ connectionString: adminUrl, applicationName: 'airank-warehouse' });
  await client.connect();
  try {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

export interface DemoLock {
  release(): Promise<void>;
}

/** Takes the lock without waiting; undefined: another process holds it. */
export async function takeDemoLock(url: string, name: string): Promise<DemoLock | undefined> {
  const client = createClient({ connectionString: url, applicationName: 'airank-warehouse' });
  await client.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
      [name],
    );
    if (rows[0]?.taken === true) return { release: () => client.end() };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  await client.end();
  return undefined;
}
