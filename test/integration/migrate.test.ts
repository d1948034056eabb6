import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/core/errors.ts';
import { packageRoot, packageVersion } from '../../src/core/files.ts';
import { createDatabase } from '../../src/db/database.ts';
import { createPool } from '../../src/db/pool.ts';
import { ownSchemas } from '../../src/db/schemas.ts';
import { expectSchema, readSchemaState } from '../../src/install/expect-schema.ts';
import { migrate } from '../../src/install/migrate.ts';
import { installQueue } from '../../src/queue/engine.ts';
import { publishRecords } from '../support/publish-records.ts';
import { oneFolder } from '../support/temp-folder.ts';
import {
  createAsciiTestDatabase,
  createEmptyTestDatabase,
  eachDatabase,
  useDatabase,
} from '../support/test-database.ts';
import { viewDigests } from '../support/view-digests.ts';

const streams = ['airank', 'clientes', 'mediciones', 'visibility', 'rank2'];

const database = eachDatabase(createEmptyTestDatabase);

test('several processes that migrate one empty database at once all succeed', async () => {
  // Whether two of them meet is chance, so several.
  const pools = Array.from({ length: 8 }, () =>
    createPool({ connectionString: database.url, max: 2, applicationName: 'airank-test' }),
  );
  const results = await Promise.all(pools.map((pool) => migrate(pool, streams)));
  await Promise.all(pools.map((pool) => pool.end()));
  expect(results.filter((result) => result.applied.length > 0)).toHaveLength(1);
  const { rows } = await database.pool.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'snapshot.record'::regclass`,
  );
  const partitions = ['envelope', ...streams].map((name) => `snapshot.${name}`);
  expect(rows.map((row) => row.name)).toEqual(expect.arrayContaining(partitions));
});

test('a database that is not in UTF8 is refused before anything is changed, as wrong configuration', async () => {
  const database = await createAsciiTestDatabase();
  try {
    await expect(migrate(database.pool, streams)).rejects.toThrow(ConfigError);
    await expect(migrate(database.pool, streams)).rejects.toThrow(
      /to have the encoding UTF8, got SQL_ASCII\. Nothing was changed\. .*DATABASE_URL to it: create database airank /,
    );
    expect(await database.rows(`select from pg_namespace where nspname = 'sync'`)).toEqual([]);
  } finally {
    await database.drop();
  }
});

test('a database of a development version is refused before anything is changed', async () => {
  await database.pool.query(`
    create schema sync;
    create table sync.migration (name varchar(255) primary key, timestamp varchar(255) not null);
    insert into sync.migration values ('000001_create_sync', now()), ('000002_create_snapshot', now());
    create table sync.run (id bigint)`);
  await expect(migrate(database.pool, streams)).rejects.toThrow(
    /has 2 migrations that this version, .*, does not know \(first: 000001_create_sync\): a development version made it.* Set DATABASE_URL to another database, or export .*; for the embedded server, delete \.airank\/$/,
  );
  const { rows } = await database.pool.query(
    `select nspname::text as name from pg_namespace where nspname !~ '^pg_|^information' order by 1`,
  );
  expect(rows).toEqual([{ name: 'public' }, { name: 'sync' }]);
});

test.each(['bi', 'typed', 'sync', 'airank_jobs'])(
  'a schema %s in which others have something is left alone, and refused by its name',
  async (schema) => {
    await database.pool.query(`
      create schema ${schema};
      create view ${schema}.clients as select 7 as mine;
      create function ${schema}.compared_since(date date, days integer) returns date language sql as 'select date'`);
    await expect(migrate(database.pool, streams)).rejects.toThrow(
      new RegExp(
        `got objects of others in ${schema} \\(function .* and 1 more\\)\\. Nothing was changed\\. .*create database airank`,
      ),
    );
    expect((await readSchemaState(createDatabase(database.pool))).others).toMatch(/objects of others/);
    const { rows } = await database.pool.query(
      `select mine, ${schema}.compared_since(date '2026-01-01', 1)::text from ${schema}.clients`,
    );
    expect(rows).toEqual([{ mine: 7, compared_since: '2026-01-01' }]);
  },
);

test('a first migrate that was killed after its bookkeeping goes on', async () => {
  await database.pool.query(`
    create schema sync;
    create table sync.migration (name varchar(255) primary key, timestamp varchar(255) not null);
    create table sync.migration_lock (id varchar(255) primary key, is_locked integer not null default 0);
    insert into sync.migration_lock values ('migration_lock', 0)`);
  expect((await migrate(database.pool, streams)).applied).toHaveLength(1);
});

test('empty schemas that were made for a role without the right to make any are used', async () => {
  const database = await createEmptyTestDatabase();
  const role = `owner_${process.pid}`;
  const name = new URL(database.url).pathname.slice(1);
  try {
    await database.pool.query(
      `create role ${role} login password 'p'; revoke create on database ${name} from public`,
    );
    for (const schema of ownSchemas)
      await database.pool.query(`create schema ${schema} authorization ${role}`);
    const url = new URL(database.url);
    url.username = role;
    url.password = 'p';
    const pool = createPool({ connectionString: url.href, max: 2, applicationName: 'airank-test' });
    expect((await migrate(pool, streams)).applied).toHaveLength(1);
    await installQueue(pool);
    await pool.end();
  } finally {
    await database.pool.query(`drop owned by ${role} cascade; drop role ${role}`);
    await database.drop();
  }
});

/** With every stream, as others were made. */
describe('a warehouse', () => {
  const database = eachDatabase();

  test('starts again without touching a function or view', async () => {
    const objects = async () =>
      (
        await database.pool.query(
          `select 'function' as kind, oid, xmin::text from pg_proc where pronamespace = 'sync'::regnamespace
         union all select 'view', oid, xmin::text from pg_class where relkind = 'v' and relnamespace::regnamespace::text in ('bi', 'bi_map')
         union all select 'code', 0, xmin::text from sync.code order by 1, 2, 3`,
        )
      ).rows;
    const before = await objects();
    expect(before.length).toBeGreaterThan(100);
    expect(await migrate(database.pool, streams)).toEqual({
      applied: [],
      again: [],
      views: { installed: [], dropped: [], left: [] },
    });
    expect(await objects()).toEqual(before);
  });

  test('a field that a release adds to a source is there at once, also where it has no rows, and rows get it', async () => {
    const db = createDatabase(database.pool);
    const records = [{ id: 1, bot: 'b', ruta: '/a' }];
    await publishRecords(db, { stream: 'crawl', runDate: '2026-03-01', records });
    // As an earlier release left it.
    await database.pool.query(`
    alter table typed.crawl drop column path cascade;
    alter table typed.rank_now drop column name cascade;
    delete from sync.mapping where (source, field) = ('crawl', 'path');
    update sync.mapping_search set fields = array_remove(fields, 'path') where source = 'crawl';
    update sync.typed_table set hash = 'of another release' where source in ('crawl', 'rank_now');
    delete from sync.code where name ~ 'crawl|rank_now' or name in ('bi/_client.sql', 'bi/_rank.sql')`);
    await database.pool.query('drop schema bi cascade; create schema bi');
    await database.pool.query(`delete from sync.code where name ~ '^bi/'`);
    await migrate(database.pool, streams);
    expect((await database.pool.query('select bot, path from bi.crawl_health')).rows).toEqual([
      { bot: 'b', path: '/a' },
    ]);
    expect((await database.pool.query('select name from bi_map.rank_now')).rows).toEqual([]);
  });

  test.each([
    [
      'bi_map.crawl',
      `drop view bi_map.crawl cascade; create view bi_map.crawl as select 7 as mine;
    delete from sync.code where name = 'bi_map.crawl'`,
    ],
    [
      'typed.crawl_next',
      `create table typed.crawl_next as select 7 as mine;
    update sync.typed_table set hash = 'of another release' where source = 'crawl'`,
    ],
  ])('%s of others, made after the first migrate, is neither replaced nor dropped', async (name, take) => {
    const records = [{ id: 1, bot: 'b', ruta: '/a' }];
    await publishRecords(createDatabase(database.pool), { stream: 'crawl', runDate: '2026-03-01', records });
    await database.pool.query(take);
    await expect(migrate(database.pool, streams)).rejects.toThrow(
      `${name} cannot be replaced: its comment does not have the mark of airank`,
    );
    expect((await database.pool.query(`select mine from ${name}`)).rows).toEqual([{ mine: 7 }]);
  });
});

describe('a later version, with one more migration', () => {
  const database = useDatabase();
  /** The migrations of the later version. */
  const later = oneFolder();

  beforeAll(async () => {
    await cp(join(packageRoot(), 'sql', 'migrations'), later, { recursive: true });
    const records = [{ id: 1, bot: 'b', ruta: '/a' }];
    await publishRecords(database.db, { stream: 'crawl', runDate: '2026-03-01', records });
  });

  const bring = (text: string) => writeFile(join(later, '000002_later.sql'), text);
  /** Digests every view but freshness, whose ages grow meanwhile. */
  const shownBy = async (pool: pg.Pool) =>
    Object.entries((await viewDigests(pool)).views).filter(([name]) => !name.endsWith('.freshness'));
  const countNotes = 'select count(*)::integer as notes from sync.note where is_pinned';

  test('a migration that fails is named, rolled back, and leaves the warehouse to the version before', async () => {
    await bring('alter table sync.note add column is_pinned boolean; select 1 / 0');
    await expect(migrate(database.pool, [], later)).rejects.toThrow(
      /^Migration 000002_later failed: division by zero\. It was rolled back; /,
    );
    await expect(database.pool.query(countNotes)).rejects.toThrow(/is_pinned/);
    await expectSchema(database.pool);
  });

  test('a second migration is asked for by what only reads, applied once, and leaves what every view shows', async () => {
    const shown = await shownBy(database.pool);
    await bring('alter table sync.note add column is_pinned boolean not null default false');
    await expect(expectSchema(database.pool, undefined, later)).rejects.toThrow(
      `The schema of this warehouse is 1 migration older than this version, ${packageVersion()} (000002_later). Run: airank migrate`,
    );
    expect(await migrate(database.pool, [], later)).toMatchObject({ applied: ['000002_later'], again: [] });
    await expectSchema(database.pool, undefined, later);
    expect((await database.pool.query(countNotes)).rows).toEqual([{ notes: 0 }]);
    expect(await shownBy(database.pool)).toEqual(shown);
    expect(await migrate(database.pool, [], later)).toMatchObject({ applied: [] });
  });
});
