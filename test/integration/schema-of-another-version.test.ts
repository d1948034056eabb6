// Checks what commands that only read say of a warehouse whose schema is another version's.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageVersion } from '../../src/core/files.ts';
import { migrate } from '../../src/install/migrate.ts';
import { nobody } from '../support/config-fixtures.ts';
import { airank, type Said } from '../support/fake-terminal.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { createEmptyTestDatabase, useDatabase } from '../support/test-database.ts';

const reading = [
  ['status'],
  ['plan'],
  ['budget'],
  ['jobs'],
  ['jobs', 'cancel', '1'],
  ['views'],
  ['views', '--format', 'dbt-sources'],
  ['export', 'rank_trend'],
  ['dashboard', '--output', 'pages.html'],
  ['report', '7'],
  ['alerts'],
  ['note', 'list'],
];

const folder = oneFolder();
const database = useDatabase();

async function run(args: readonly string[], url = database.url): Promise<Said> {
  const env = { DATABASE_URL: url, AIRANK_DATA_DIR: folder, PATH: '/nonexistent', ...nobody };
  return await airank(args, { cwd: folder, env });
}

const note = (name: string) =>
  database.pool.query(`insert into sync.migration (name, timestamp) values ($1, now())`, [name]);
const forget = (name: string) => database.pool.query('delete from sync.migration where name = $1', [name]);

// migrate.test.ts has the one that lacks a migration.
describe('an older schema, which lacks a function', () => {
  beforeAll(() =>
    database.pool.query(`update sync.code set hash = 'old' where name = 'code/sync/day_renewal.sql'`),
  );
  afterAll(() => migrate(database.pool, []));

  test.each(reading.map((args) => [args]))(
    '%j names airank migrate, changes nothing and exits 2',
    async (args) => {
      expect(await run(args)).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: `The schema of this warehouse is older than this version, ${packageVersion()}: it lacks code/sync/day_renewal.sql. Run: airank migrate\n`,
      });
    },
  );

  test('psql says so and opens all the same, to look at what a migration stumbles over', async () => {
    const said = await run(['psql', '--csv', '-c', 'select 1 as one']);
    expect(said).toMatchObject({ exitCode: 0, stdout: 'one\n1\n' });
    expect(said.stderr).toMatch(/^The schema of this warehouse is older .* Run: airank migrate\n$/);
  });

  test('can still be backed up', async () => {
    expect(await run(['backup', 'before.gz'])).toMatchObject({ exitCode: 0, stderr: '' });
    await access(join(folder, 'before.gz'));
  });
});

describe('the schema of a development version', () => {
  test('is no empty warehouse to status, and no backup of it is made that nobody could restore', async () => {
    const other = await createEmptyTestDatabase();
    try {
      await other.pool.query(`
        create schema sync;
        create table sync.migration (name varchar(255) primary key, timestamp varchar(255) not null);
        insert into sync.migration values ('000001_create_sync', now());
        create table sync.slice (id bigint)`);
      for (const args of [['status'], ['backup', 'other.gz']]) {
        const said = await run(args, other.url);
        expect(said).toMatchObject({ exitCode: 2, stdout: '' });
        expect(said.stderr).toMatch(/does not know \(000001_create_sync\): a development version made it/);
      }
      await expect(access(join(folder, 'other.gz'))).rejects.toThrow();
    } finally {
      await other.drop();
    }
  });
});

describe('a newer schema', () => {
  beforeAll(() => note('999999_later'));
  afterAll(() => forget('999999_later'));

  test.each(
    [['status'], ['views'], ['migrate'], ['grant-bi', 'reader'], ['backup', 'later.gz']].map((args) => [
      args,
    ]),
  )('%j asks to update the program, and exits 2', async (args) => {
    expect(await run(args)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `The schema of this warehouse is 1 migration newer than this version, ${packageVersion()} (999999_later). Nothing was changed. Update airank-warehouse to the version that made it\n`,
    });
  });

  test('is a fault to doctor', async () => {
    const said = await run(['doctor', '--offline']);
    expect(said.exitCode).not.toBe(0);
    expect(said.stdout.replace(/\s+/g, ' ')).toMatch(
      /✗ The schema of this warehouse is 1 migration newer than this version, .* Update airank-warehouse/,
    );
  });
});

test('where there is no warehouse, views and alerts say how to make one, and make nothing', async () => {
  const empty = await createEmptyTestDatabase();
  try {
    const pages = [
      ['dashboard', '--output', 'x.html'],
      ['report', '7'],
    ];
    for (const args of [['views'], ['alerts'], ['note', 'list'], ...pages]) {
      expect(await run(args, empty.url)).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: 'There is no warehouse in this database yet. Run: airank sync\n',
      });
    }
    for (const args of pages) {
      const env = { AIRANK_READER_URL: empty.url, AIRANK_DATA_DIR: folder };
      const said = await airank(args, { cwd: folder, env });
      expect(said).toMatchObject({ exitCode: 2, stdout: '' });
      expect(said.stderr).toMatch(/relation "bi.clients" does not exist. Run: airank migrate\n$/);
    }
    expect(await empty.rows(`select from pg_namespace where nspname = 'sync'`)).toEqual([]);
  } finally {
    await empty.drop();
  }
  const said = await run(['views'], '');
  expect(said).toMatchObject({ exitCode: 2, stdout: '' });
  expect(said.stderr).toMatch(/^There is no warehouse in .* yet\. Run: airank sync/);
});

// Before its first own setting a statement of ours meets this function, as if the server were older.
describe('a Postgres that is too old', () => {
  test.each([['migrate'], ['sync'], ['doctor', '--offline'], ['status'], ['views']].map((args) => [args]))(
    '%j says which it needs',
    async (args) => {
      await database.pool.query(`
        create schema if not exists old;
        create or replace function old.current_setting(name text) returns text language sql as $$
          select case name when 'server_version_num' then '130011' when 'server_version' then '13.11'
            else pg_catalog.current_setting(name) end $$`);
      const url = new URL(database.url);
      url.searchParams.set('options', '-c search_path=old,pg_catalog');
      const said = await run(args, url.href);
      expect(said.exitCode).toBe(args[0] === 'doctor' ? 1 : 2);
      expect(`${said.stdout}${said.stderr}`.replaceAll(/\s+/g, ' ')).toContain(
        'The warehouse needs Postgres 14 or newer, got 13.11',
      );
    },
  );
});
