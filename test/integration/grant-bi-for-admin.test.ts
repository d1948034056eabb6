// grant-bi as an owner that may make no roles, as on many managed servers, in a database where EXECUTE is taken from
// PUBLIC, as is advised where it is open to the web: what is asked of whoever administers the server, and what is granted.
import { tmpdir } from 'node:os';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReader } from '../../src/reporting/reader/open-reader.ts';
import { airank } from '../support/fake-terminal.ts';
import { createEmptyTestDatabase, useDatabase } from '../support/test-database.ts';

const database = useDatabase(createEmptyTestDatabase);
const [owner, role] = [`owner_${process.pid}`, `bi"of_${process.pid}`];
const who = pg.escapeIdentifier(role);

function urlOf(user: string): string {
  const url = new URL(database.url);
  [url.username, url.password] = [encodeURIComponent(user), 'w'];
  return url.href;
}

const run = (args: string, env = {}) =>
  airank(args.split(' '), {
    cwd: tmpdir(),
    env: { DATABASE_URL: urlOf(owner), AIRANK_DATA_DIR: tmpdir(), ...env },
  });

beforeAll(async () => {
  const name = new URL(database.url).pathname.slice(1);
  await database.rows(`
    create role ${owner} login password 'w' nosuperuser nocreaterole nocreatedb;
    grant create, temporary on database ${name} to ${owner};
    alter default privileges for role ${owner} revoke execute on functions from public`);
  expect(await run('migrate')).toMatchObject({ exitCode: 0 });
});

afterAll(() =>
  database.rows(`drop owned by ${who}; drop role ${who}; drop owned by ${owner} cascade; drop role ${owner}`),
);

/** Reads every view of bi and bi_history. */
async function readAll(pool: Pick<pg.Pool, 'query'>): Promise<number> {
  const { rows } = await pool.query<{ view: string }>(
    `select format('%I.%I', schemaname, viewname) as view from pg_views where schemaname in ('bi', 'bi_history')`,
  );
  for (const { view } of rows) await pool.query(`select * from ${view}`);
  return rows.length;
}

test('an owner without CREATEROLE gets the statements, and grants the rest when they have run', async () => {
  const asked = await run(`grant-bi ${role}`);
  expect(asked.exitCode).toBe(1);
  expect(asked.stderr).toContain(
    `The role of DATABASE_URL is not allowed to create roles. Ask the administrator of the server to run`,
  );
  expect(asked.stdout).toContain(`create role ${who} login nosuperuser`);
  expect(asked.stdout).toContain(`\\password ${who}`);
  expect(await database.rows('select from pg_roles where rolname = $1', role)).toEqual([]);

  // With another timeout it is not as this asks for.
  await database.rows(`${asked.stdout}\n; alter role ${who} set statement_timeout = '1h'`);
  const again = await run(`grant-bi ${role}`);
  expect(again).toMatchObject({ exitCode: 1 });
  expect(again.stdout).not.toContain('create role');
  await database.rows(`${again.stdout}\n; alter role ${who} password 'w'`);

  const done = await run(`grant-bi ${role}`);
  expect(done).toMatchObject({ exitCode: 0 });
  expect(done.stdout).toContain('Its password is unchanged');
  const reader = new pg.Client({ connectionString: urlOf(role) });
  await reader.connect();
  try {
    expect(await readAll(reader)).toBeGreaterThan(50);
    const forbidden = { code: '42501' };
    await expect(reader.query('select * from sync.slice')).rejects.toMatchObject(forbidden);
    await expect(reader.query(`select sync.as_date('2026-01-01')`)).rejects.toMatchObject(forbidden);
    const { rows } = await reader.query(
      `select current_setting('statement_timeout') as timeout, current_setting('default_transaction_read_only') as only`,
    );
    expect(rows).toEqual([{ timeout: '1min', only: 'on' }]);
  } finally {
    await reader.end();
  }
});

test('no password of a setting stands in what it prints', async () => {
  const secret = { BI_PASSWORD: 'hush-hush' };
  const said = await run(`grant-bi other_${process.pid} --password-env BI_PASSWORD`, secret);
  expect(said.exitCode).toBe(1);
  expect(`${said.stdout}${said.stderr}`).not.toContain('hush-hush');
});

test('a dashboard reads every view', async () => {
  const reader = await openReader({ readerUrl: undefined, warehouse: database.pool });
  expect(reader.unbound).toBeUndefined();
  expect(await readAll(reader.pool).finally(() => reader.close())).toBeGreaterThan(50);
});

test('names what the role could not read, and changes nothing', async () => {
  const refused = (why: string) => ({
    exitCode: 1,
    stderr: expect.stringContaining(`Role ${role} could not read the views: ${why}`),
  });
  await database.rows(
    `create view bi.of_others as select 1 as one; grant select on bi.of_others to ${owner}`,
  );
  const lacking = await run(`grant-bi ${role}`);
  expect(lacking).toMatchObject(refused('no right on bi.of_others. Nothing was changed'));
  // The role of this address may become it.
  await database.rows(
    'drop view bi.of_others; revoke execute on function pg_catalog.round(numeric, integer) from public',
  );
  const asAdmin = { DATABASE_URL: database.url };
  expect(await run(`grant-bi ${role}`, asAdmin)).toMatchObject(
    refused('permission denied for function round'),
  );
  await database.rows('grant execute on function pg_catalog.round(numeric, integer) to public');
  expect(await run(`grant-bi ${role}`, asAdmin)).toMatchObject({ exitCode: 0 });
});
