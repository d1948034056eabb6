// A database of its own for a test file: a clone of the template, with the warehouse's schema.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { createPool } from '../../src/db/pool.ts';
import { withDatabase } from './database-url.ts';

export interface TestDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
  /** Ends the pool and drops the database, whoever is still connected. */
  drop(): Promise<void>;
}

/** Clones the template. Call in `beforeAll`, and `drop` in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return await createDatabase(inject('templateDatabase'));
}

/** A database without any schema of the warehouse. */
export async function createEmptyTestDatabase(): Promise<TestDatabase> {
  return await createDatabase('template0');
}

/** Another that no warehouse can be in. */
export async function createAsciiTestDatabase(): Promise<TestDatabase> {
  const [version] = await runAsAdmin(inject('adminUrl'), 'show server_version_num');
  // Postgres 14 has libc alone, and no word for it.
  const provider = Number(version?.['server_version_num']) < 150_000 ? '' : ' locale_provider libc';
  return await createDatabase(`template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'${provider}`);
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl');
  const name = `${inject('templateDatabase')}_${randomBytes(4).toString('hex')}`;
  await runAsAdmin(adminUrl, `create database ${name} template ${template} ${inject('cloneStrategy')}`);
  const url = withDatabase(adminUrl, name);
  const pool = createPool({ connectionString: url, max: 10, applicationName: 'airank-test' });
  return {
    url,
    pool,
    drop: async () => {
      await pool.end();
      await runAsAdmin(adminUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

async function runAsAdmin(adminUrl: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
