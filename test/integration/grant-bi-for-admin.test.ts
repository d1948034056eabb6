// grant-bi as an owner that may make no roles, as on many managed servers: what it asks of whoever administers the server.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { airank } from '../support/fake-terminal.ts';
import { createEmptyTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let folder: string;
let name: string;
const [owner, role] = [`owner_${process.pid}`, `bi"of_${process.pid}`];
const who = pg.escapeIdentifier(role);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airank-admin-'));
  database = await createEmptyTestDatabase();
  const { rows } = await database.pool.query<{ d: string }>('select current_database() as d');
  name = rows[0]?.d ?? '';
  await database.pool.query(`
    create role ${owner} login password 'o' nosuperuser nocreaterole nocreatedb;
    grant create, temporary on database ${name} to ${owner}`);
  expect(await run('migrate')).toMatchObject({ exitCode: 0 });
});

afterAll(async () => {
  await database.pool.query(`drop owned by ${owner} cascade; drop role ${owner}`);
  await database.pool.query(`drop owned by ${who}; drop role ${who}`);
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function urlOf(user: string, password: string): string {
  const url = new URL(database.url);
  url.username = encodeURIComponent(user);
  url.password = password;
  return url.href;
}

const run = (args: string, env = {}) =>
  airank([...args.split(' ')], {
    cwd: folder,
    env: { DATABASE_URL: urlOf(owner, 'o'), AIRANK_DATA_DIR: folder, ...env },
  });

const roles = async () =>
  (await database.pool.query('select from pg_roles where rolname = $1', [role])).rows.length;

test('an owner without CREATEROLE gets the statements, and grants the rest when they have run', async () => {
  const asked = await run(`grant-bi ${role}`);
  expect(asked.exitCode).toBe(1);
  expect(asked.stderr).toContain(
    `The role of DATABASE_URL is not allowed to create roles. Ask the administrator of the server to run`,
  );
  expect(asked.stdout).toContain(`create role ${who} login nosuperuser`);
  expect(asked.stdout).toContain(`\\password ${who}`);
  expect(await roles()).toBe(0);

  // With another timeout it is not as this asks for.
  await database.pool.query(asked.stdout);
  await database.pool.query(`alter role ${who} set statement_timeout = '1h'`);
  const again = await run(`grant-bi ${role}`);
  expect(again).toMatchObject({ exitCode: 1 });
  expect(again.stdout).not.toContain('create role');
  await database.pool.query(`${again.stdout}\n; alter role ${who} password 'b'`);

  const done = await run(`grant-bi ${role}`);
  expect(done).toMatchObject({ exitCode: 0 });
  expect(done.stdout).toContain('Its password is unchanged');
  const reader = new pg.Client({ connectionString: urlOf(role, 'b') });
  await reader.connect();
  try {
    expect((await reader.query('select * from bi.clients')).rows).toEqual([]);
    await expect(reader.query('select * from sync.slice')).rejects.toThrow(/permission denied/);
    const { rows } = await reader.query(
      `select current_setting('statement_timeout') as timeout, current_setting('default_transaction_read_only') as only`,
    );
    expect(rows).toEqual([{ timeout: '1min', only: 'on' }]);
  } finally {
    await reader.end();
  }
});

test('no password of a setting stands in what it prints', async () => {
  const said = await run(`grant-bi other_${process.pid} --password-env BI_PASSWORD`, {
    BI_PASSWORD: 'hush-hush',
  });
  expect(said.exitCode).toBe(1);
  expect(`${said.stdout}${said.stderr}`).not.toContain('hush-hush');
});
