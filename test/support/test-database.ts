// A database of its own for a test file: a clone of the template, with the warehouse's schema.
import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { createPool } from '../../src/db/pool.ts';
import { withDatabase } from './database-url.ts';

export interface TestDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly db: Executor;
  rows<Row extends pg.QueryResultRow = Record<string, unknown>>(
    text: string,
    ...values: unknown[]
  ): Promise<Row[]>;
  /** Rows as their values, with a space between them; `-` for null. */
  lines(text: string, ...values: unknown[]): Promise<string[]>;
  /** Ends the pool and drops the database, whoever is still connected. */
  drop(): Promise<void>;
}

type Make = () => Promise<TestDatabase>;

/** Makes a database before the tests of the file or of the suite, and drops it after them. */
export const useDatabase = (make: Make = createTestDatabase) => used(make, beforeAll, afterAll);

/** Makes one for each test; whatever a file sets up on it is to be ended in `afterEach`. */
export const eachDatabase = (make: Make = createTestDatabase) => used(make, beforeEach, afterEach);

function used(make: Make, before: typeof beforeEach, after: typeof afterEach): TestDatabase {
  let made: TestDatabase | undefined;
  before(async () => {
    made = await make();
  });
  after(() => made?.drop());
  const now = (): TestDatabase => {
    if (made === undefined) throw new Error('the database is not made yet');
    return made;
  };
  return {
    get url() {
      return now().url;
    },
    get pool() {
      return now().pool;
    },
    get db() {
      return now().db;
    },
    rows: (text, ...values) => now().rows(text, ...values),
    lines: (text, ...values) => now().lines(text, ...values),
    drop: () => now().drop(),
  };
}

/** Clones the template. A file with one database for all of its tests says `useDatabase()`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return await cloneDatabase(inject('templateDatabase'));
}

/** A database without any schema of the warehouse. */
export async function createEmptyTestDatabase(): Promise<TestDatabase> {
  return await cloneDatabase('template0');
}

/** Another that no warehouse can be in. */
export async function createAsciiTestDatabase(): Promise<TestDatabase> {
  const [version] = await runAsAdmin(inject('adminUrl'), 'show server_version_num');
  // Postgres 14 has libc alone, and no word for it.
  const provider = Number(version?.['server_version_num']) < 150_000 ? '' : ' locale_provider libc';
  return await cloneDatabase(`template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'${provider}`);
}

/**
 * Clones a database that was filled in steps, each made once in a run of tests and shared by all that begin alike.
 * @param key names what it is filled with, beside the steps
 * @param fill does one step; `place` counts from 0
 */
export async function createFilledDatabase<Step extends string | number>(
  key: string,
  steps: readonly Step[],
  fill: (database: TestDatabase, step: Step, place: number) => Promise<void>,
): Promise<TestDatabase> {
  let template = inject('templateDatabase');
  for (const [place, step] of steps.entries()) {
    template = await filledOnce(template, `${key} ${step}`, (database) => fill(database, step, place));
  }
  return await cloneDatabase(template);
}

/** The name of the database; others that ask for it meanwhile wait. */
async function filledOnce(
  from: string,
  key: string,
  fill: (database: TestDatabase) => Promise<void>,
): Promise<string> {
  const digest = createHash('sha256').update(`${from} ${key}`).digest('hex').slice(0, 16);
  const name = `${inject('templateDatabase')}_${digest}`;
  const admin = new pg.Client({ connectionString: inject('adminUrl') });
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    const found = await admin.query('select from pg_database where datname = $1', [name]);
    if (found.rowCount === 1) return name;
    const database = await cloneDatabase(from);
    await fill(database);
    await database.pool.end();
    await admin.query(`alter database ${new URL(database.url).pathname.slice(1)} rename to ${name}`);
    return name;
  } finally {
    await admin.end();
  }
}

async function cloneDatabase(template: string): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl');
  const name = `${inject('templateDatabase')}_${randomBytes(4).toString('hex')}`;
  await runAsAdmin(adminUrl, `create database ${name} template ${template} ${inject('cloneStrategy')}`);
  const url = withDatabase(adminUrl, name);
  const pool = createPool({ connectionString: url, max: 10, applicationName: 'airank-test' });
  return {
    url,
    pool,
    db: createDatabase(pool),
    rows: async (text, ...values) => (await pool.query(text, values)).rows,
    lines: async (text, ...values) => {
      const { rows } = await pool.query<unknown[]>({ text, values, rowMode: 'array' });
      return rows.map((row) => row.map((value) => value ?? '-').join(' '));
    },
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
