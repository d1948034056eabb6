// EXECUTE taken from PUBLIC, as is advised where a database is open to the web: what views call is granted to who reads them.
import { tmpdir } from 'node:os';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReader } from '../../src/reporting/reader/open-reader.ts';
import { airank } from '../support/fake-terminal.ts';
import { createEmptyTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
const [owner, role] = [`owner_of_functions_${process.pid}`, `reader_of_functions_${process.pid}`];

function urlOf(user: string): string {
  const url = new URL(database.url);
  [url.username, url.password] = [user, 'w'];
  return url.href;
}

const run = (args: string, url = urlOf(owner)) =>
  airank(args.split(' '), {
    cwd: tmpdir(),
    env: { DATABASE_URL: url, AIRANK_DATA_DIR: tmpdir(), WORD: 'w' },
  });

beforeAll(async () => {
  database = await createEmptyTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await database.pool.query(`
    create role ${owner} login password 'w' nosuperuser nocreaterole nocreatedb;
    grant create, temporary on database ${name} to ${owner};
    alter default privileges for role ${owner} revoke execute on functions from public`);
  expect(await run('migrate')).toMatchObject({ exitCode: 0 });
});

afterAll(async () => {
  await database.pool.query(`drop owned by ${role}, ${owner} cascade; drop role ${role}, ${owner}`);
  await database.drop();
});

/** Reads every view of bi and bi_history. */
async function readAll(pool: Pick<pg.Pool, 'query'>): Promise<number> {
  const { rows } = await pool.query<{ view: string }>(
    `select format('%I.%I', schemaname, viewname) as view from pg_views where schemaname in ('bi', 'bi_history')`,
  );
  for (const { view } of rows) await pool.query(`select * from ${view}`);
  return rows.length;
}

test('the role of grant-bi reads every view, also where the owner may not become it', async () => {
  const asked = await run(`grant-bi ${role}`);
  await database.pool.query(`${asked.stdout}\n; alter role ${role} password 'w'`);
  expect(await run(`grant-bi ${role}`)).toMatchObject({ exitCode: 0 });
  const reader = new pg.Client({ connectionString: urlOf(role) });
  await reader.connect();
  try {
    expect(await readAll(reader)).toBeGreaterThan(50);
    await expect(reader.query(`select sync.as_date('2026-01-01')`)).rejects.toMatchObject({ code: '42501' });
  } finally {
    await reader.end();
  }
});

test('a dashboard reads every view', async () => {
  const reader = await openReader({ readerUrl: undefined, warehouse: database.pool });
  try {
    expect(reader.unbound).toBeUndefined();
    expect(await readAll(reader.pool)).toBeGreaterThan(50);
  } finally {
    await reader.close();
  }
});

test('grant-bi names what the role could not read, and changes nothing', async () => {
  const { pool } = database;
  await pool.query(`create view bi.of_others as select 1 as one; grant select on bi.of_others to ${owner}`);
  expect(await run(`grant-bi ${role} --timeout-seconds 60`)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(
      `Role ${role} could not read the views: no right on bi.of_others. Nothing was changed`,
    ),
  });
  // The role of this address may become it.
  await pool.query(
    'drop view bi.of_others; revoke execute on function pg_catalog.round(numeric, integer) from public',
  );
  expect(await run(`grant-bi ${role}`, database.url)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(
      `Role ${role} could not read the views: permission denied for function round`,
    ),
  });
  await pool.query('grant execute on function pg_catalog.round(numeric, integer) to public');
  expect(await run(`grant-bi ${role}`, database.url)).toMatchObject({ exitCode: 0 });
});
