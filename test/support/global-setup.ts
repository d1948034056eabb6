// Once for each run of the integration tests: a server, and in it a template database with the
// schema of the warehouse, which each test file clones. The build too, where it is older.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { createPool } from '../../src/db/pool.ts';
import { migrate } from '../../src/install/migrate.ts';
import { installQueue } from '../../src/queue/engine.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { buildIfOlder } from './built-program.ts';
import { cloneStrategyOf, withDatabase } from './database-url.ts';
import { startTestServer } from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of a role that may create databases. */
    readonly adminUrl: string;
    /** Name of the database to clone; the names of clones begin with it. */
    readonly templateDatabase: string;
    /** Ends the statement that clones. */
    readonly cloneStrategy: string;
  }
}

export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Tests of pages are skipped without a browser, so there is nothing to set up.
  if (project.name === 'browser' && process.env['AIRANK_BROWSER_DIR'] === undefined) return undefined;
  await buildIfOlder();
  const log = (line: string) => process.stderr.write(`test database: ${line}\n`);
  const server = await startTestServer(log);
  log(`using ${server.description}`);
  const template = `airank_test_${randomBytes(4).toString('hex')}`;
  const tearDown = async () => {
    await dropDatabases(server.adminUrl, template);
    await server.stop();
  };
  try {
    await createTemplate(server.adminUrl, template);
  } catch (error) {
    await tearDown().catch(() => undefined);
    throw error;
  }
  project.provide('adminUrl', server.adminUrl);
  project.provide('cloneStrategy', await cloneStrategyOf(server.adminUrl));
  project.provide('templateDatabase', template);
  return tearDown;
}

async function createTemplate(adminUrl: string, template: string): Promise<void> {
  await asAdmin(adminUrl, (client) => client.query(`create database ${template}`));
  const pool = createPool({
    connectionString: withDatabase(adminUrl, template),
    max: 2,
    applicationName: 'airank-test',
  });
  try {
    await migrate(
      pool,
      catalog.map((stream) => stream.name),
    );
    await installQueue(pool);
  } finally {
    await pool.end();
  }
}

/** The template and the clones that a test did not drop. */
async function dropDatabases(adminUrl: string, prefix: string): Promise<void> {
  await asAdmin(adminUrl, async (client) => {
    const found = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { datname } of found.rows) {
      await client.query(`drop database if exists ${pg.escapeIdentifier(datname)} with (force)`);
    }
  });
}

async function asAdmin(adminUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
