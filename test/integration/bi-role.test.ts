// The role of BI tools: what it may see, and that it cannot get further.
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openLines } from '../../src/cli/commands/grant-bi-command.ts';
import { packageRoot } from '../../src/core/files.ts';
import { catalogue } from '../../src/db/code/catalogue.ts';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { type GrantedBi, grantBi } from '../../src/export/grant-bi.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { airank } from '../support/fake-terminal.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;
let reader: pg.Client;
const role = `bi_reader_${process.pid}`;
const password = "p'w\\d";

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  await grant(false);
  await publishRecords(db, {
    stream: 'products',
    clientId: '7',
    runDate: '2026-03-01',
    records: [{ id: 1, nombre: 'Silla', precio: 10, fecha: '2026-03-01' }],
  });
  await publishRecords(db, {
    stream: 'mediciones',
    clientId: '7',
    runDate: '2026-03-01',
    records: [{ id: 1, fecha: '2026-03-01T23:30:00-05:00', puntuacion: 4, comparable: true, metodo: 'v2' }],
  });
  await refreshViews(db);
  await refreshMapping(db);
  reader = await connect();
});

afterAll(async () => {
  await reader.end();
  const { rows } = await database.pool.query<{ d: string }>('select current_database() as d');
  await database.pool.query(`drop owned by ${role}`);
  await database.pool.query(`revoke connect on database ${rows[0]?.d} from ${role}`);
  await database.pool.query(`drop role ${role}`);
  await database.drop();
});

async function grant(api: boolean): Promise<GrantedBi> {
  return await grantBi(db, { name: role, api, password, statementTimeoutMs: 20_000 });
}

async function connect(): Promise<pg.Client> {
  const url = new URL(database.url);
  const client = new pg.Client({
    host: url.hostname,
    port: Number(url.port),
    database: url.pathname.slice(1),
    user: role,
    password,
  });
  await client.connect();
  return client;
}

describe('the role of BI tools', () => {
  it('reads every view of bi and bi_history, and none of ops, also those that come later', async () => {
    const { rows } = await reader.query(
      `select table_name from information_schema.tables where table_schema in ('bi', 'bi_history', 'ops')`,
    );
    expect(rows.length).toBe(catalogue().filter(({ schema }) => schema !== 'ops').length);
    expect((await reader.query('select title, client_id from products')).rows).toEqual([
      { title: 'Silla', client_id: '7' },
    ]);
    await database.pool.query('create view bi.later as select 1 as one');
    expect((await reader.query('select one from bi.later')).rows).toEqual([{ one: 1 }]);
    await database.pool.query('drop view bi.later');
  });

  it('reads ops when that is granted, and no more when it is granted without', async () => {
    const grant = { name: role, api: false, password, statementTimeoutMs: 20_000 };
    const forbidden = { code: '42501' };
    await expect(reader.query('select * from ops.write_log')).rejects.toMatchObject(forbidden);
    await grantBi(db, { ...grant, ops: true });
    expect((await reader.query('select * from ops.write_log')).rows).toEqual([]);
    await expect(reader.query('select * from sync.write')).rejects.toMatchObject(forbidden);
    await grantBi(db, grant);
    await expect(reader.query('select * from ops.write_log')).rejects.toMatchObject(forbidden);
  });

  it('is bounded in time and reads only by default', async () => {
    const { rows } = await reader.query(
      `select current_setting('statement_timeout') as t, current_setting('default_transaction_read_only') as r,
        current_setting('jit') as j, (select source from pg_settings where name = 'jit') as by`,
    );
    // These settings belong to the role itself, whatever the server has.
    expect(rows).toEqual([{ t: '20s', r: 'on', j: 'off', by: 'database user' }]);
  });

  it('is in UTC in a database of another zone, so that no moment falls on the day before', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await database.pool.query(`alter database ${name} set timezone = 'America/New_York'`);
    const client = await connect();
    try {
      const { rows } = await client.query(
        `select current_setting('timezone') as zone, (timestamptz '2026-10-25 00:30Z')::date::text as day`,
      );
      expect(rows).toEqual([{ zone: 'UTC', day: '2026-10-25' }]);
    } finally {
      await client.end();
      await database.pool.query(`alter database ${name} reset timezone`);
    }
  });

  it.each([
    ['select * from sync.slice'],
    ['select * from snapshot.products'],
    ['select * from bi_map.products'],
    ['select * from api.products'],
    ["select sync.take_token('a', 'b', 'c', 1, 1, 0, '0', '0')"],
    ['create table bi.mine (a integer)'],
    ['create temporary table mine (a integer)'],
    ["create function bi.f() returns integer language sql as 'select 1'"],
    ['drop view bi.clients'],
    ["copy (select 1) to '/tmp/x'"],
    ["select pg_read_file('/etc/passwd')"],
    ['set role pg_read_all_data'],
    [`alter role ${role} superuser`],
    ['truncate snapshot.products'],
    ['select * from pg_authid'],
    ["select lo_import('/etc/passwd')"],
    ['create table public.mine (a integer)'],
    ["select lo_from_bytea(0, 'x')"],
    ["select pg_logical_emit_message(false, 'a', repeat('x', 1000))"],
    ['select pg_advisory_lock(sync.worker_lock_class(), 1)'],
    ['begin; lock table bi.clients in access exclusive mode'],
    ['create database mine'],
    [`alter role ${role} connection limit 1000`],
    ["set temp_file_limit = '100GB'"],
    ["do $$ begin execute 'create temporary table mine (a integer)'; end $$"],
    [
      'select pg_terminate_backend(pid) from pg_stat_activity where usename <> current_user and pid is not null',
    ],
    ['comment on view bi.clients is null'],
    ["select nextval('sync.run_id_seq')"],
  ])('cannot %s, even after switching read only off', async (statement) => {
    const client = await connect();
    try {
      await client.query('set default_transaction_read_only = off');
      await client.query('set transaction read write');
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
  });

  it('writes through no view, also one that takes writes', async () => {
    await database.pool.query('create view bi.later as select job, status from sync.batch');
    const client = await connect();
    try {
      await client.query('set default_transaction_read_only = off');
      for (const statement of [
        'delete from later',
        "update later set status = 'failed'",
        "insert into later (job) values ('x')",
        'select status from later for update',
      ]) {
        await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
      }
      // Granting what is not one's own to grant is a warning and no error.
      await client.query('grant select on bi.later to public');
      const { rows } = await client.query(
        "select has_table_privilege('public', 'bi.later', 'select') as has",
      );
      expect(rows).toEqual([{ has: false }]);
    } finally {
      await client.end();
      await database.pool.query('drop view bi.later');
    }
  });

  it('finds no way through the server to another one: no dblink, no foreign data', async () => {
    await expect(reader.query("select dblink('dbname=postgres', 'select 1')")).rejects.toThrow(
      'does not exist',
    );
    const { rows } = await reader.query('select fdwname from pg_foreign_data_wrapper');
    expect(rows).toEqual([]);
  });

  it('has no right but to read, as Postgres itself sees it', async () => {
    const granted = await grant(false);
    expect(granted).toMatchObject({ created: false, others: [], open: [] });
    const { rows } = await reader.query(
      `select current_setting('temp_file_limit') as limit, r.rolconnlimit as connections
       from pg_roles r where r.rolname = current_user`,
    );
    expect(rows).toEqual([{ limit: '4GB', connections: 20 }]);
  });

  // Postgres leaves this to every session. It is written down so that nobody relies on more.
  it('may lift the bounds of its own session, and what it stores of that is gone with the next grant', async () => {
    const client = await connect();
    try {
      await client.query('set statement_timeout = 0; set default_transaction_read_only = off');
      await client.query(`alter role ${role} set statement_timeout = 0`);
      await client.query(
        `alter role ${role} in database ${new URL(database.url).pathname.slice(1)} set statement_timeout = 0`,
      );
      await client.query('notify nobody');
      await client.query('select pg_sleep(0.01)');
    } finally {
      await client.end();
    }
    const timeout = async () => {
      const next = await connect();
      try {
        const { rows } = await next.query<{ t: string }>(`select current_setting('statement_timeout') as t`);
        return rows[0]?.t;
      } finally {
        await next.end();
      }
    };
    expect(await timeout()).toBe('0');
    await grant(false);
    expect(await timeout()).toBe('20s');
  });

  it('stops a statement that takes longer than its timeout', async () => {
    await grantBi(db, { name: role, api: false, password, statementTimeoutMs: 50 });
    const client = await connect();
    try {
      await expect(client.query('select pg_sleep(60)')).rejects.toThrow('statement timeout');
    } finally {
      await client.end();
      await grant(false);
    }
  });

  it('gets the api schema only when asked for, and loses it again', async () => {
    await grant(true);
    expect((await reader.query('select nombre from api.products')).rows).toEqual([{ nombre: 'Silla' }]);
    await publishRecords(db, { stream: 'nueva', runDate: '2026-03-01', records: [{ id: 1 }] });
    await refreshViews(db);
    expect((await reader.query('select id from api.nueva')).rows).toEqual([{ id: '1' }]);
    await grant(false);
    await expect(reader.query('select nombre from api.products')).rejects.toThrow('permission denied');
    expect((await reader.query('select title from bi.products')).rows).toHaveLength(1);
  });

  it('is refused for a role that could do more', async () => {
    const { rows } = await database.pool.query<{ me: string }>('select current_user as me');
    await expect(
      grantBi(db, { name: rows[0]?.me ?? '', api: false, password: undefined, statementTimeoutMs: 1 }),
    ).rejects.toThrow('Choose another name');
    await expect(
      grantBi(db, { name: 'pg_monitor', api: false, password: undefined, statementTimeoutMs: 1 }),
    ).rejects.toThrow();
  });
});

describe('the password of a role', () => {
  it('is made once for a new role, and stays the same afterwards', async () => {
    const visitor = `bi_asked_again_${process.pid}`;
    const env = { DATABASE_URL: database.url };
    const comesIn = async (word: string) => {
      const url = new URL(database.url);
      url.username = visitor;
      url.password = word;
      const client = new pg.Client({ connectionString: url.href });
      try {
        await client.connect();
        return (await client.query('select title from products')).rows;
      } finally {
        await client.end();
      }
    };
    try {
      const first = await airank(['grant-bi', visitor], { cwd: tmpdir(), env });
      const word = /Its password, shown this once: (\S{24})\n/.exec(first.stdout)?.[1] ?? '';
      expect(await comesIn(word)).toEqual([{ title: 'Silla' }]);
      const again = await airank(['grant-bi', visitor], { cwd: tmpdir(), env });
      expect(again.stdout).toContain('Its password is unchanged');
      expect(await comesIn(word)).toEqual([{ title: 'Silla' }]);
      await airank(['grant-bi', visitor, '--password-env', 'WORD'], {
        cwd: tmpdir(),
        env: { ...env, WORD: 'other1' },
      });
      await expect(comesIn(word)).rejects.toThrow('password');
      expect(await comesIn('other1')).toEqual([{ title: 'Silla' }]);
    } finally {
      await database.pool.query(`drop owned by ${visitor}; drop role ${visitor}`);
    }
  });
});

describe('docker-compose.yml', () => {
  it('makes a role by whose password a BI tool comes in and reads, and nothing else', async () => {
    const compose = parse(await readFile(join(packageRoot(), 'docker-compose.yml'), 'utf8'), { merge: true });
    const command: string[] = compose.services['grant-bi'].command;
    const visitor = `bi_composed_${process.pid}`;
    const args = command.map((word) => (word === 'metabase_reader' ? visitor : word));
    const env = { DATABASE_URL: database.url, METABASE_READER_PASSWORD: 'abc123' };
    const url = new URL(database.url);
    url.username = visitor;
    url.password = 'abc123';
    const client = new pg.Client({ connectionString: url.href });
    try {
      const said = await airank(args, { cwd: tmpdir(), env });
      expect(said).toMatchObject({ exitCode: 0 });
      expect(said.stdout).toBe(
        `Role ${visitor} reads the views of bi and bi_history, statements up to 60 seconds.\n` +
          `Connect to host ${url.hostname}, port ${url.port}, database ${url.pathname.slice(1)}.\n`,
      );
      expect(said.stdout + said.stderr).not.toContain('abc123');
      await client.connect();
      expect((await client.query('select title from products')).rows).toEqual([{ title: 'Silla' }]);
      await expect(client.query('select * from sync.run')).rejects.toMatchObject({ code: '42501' });
      // As a container that starts again.
      expect(await airank(args, { cwd: tmpdir(), env })).toMatchObject({ exitCode: 0, stdout: said.stdout });
      const more = await airank([...args, '--connections', '60'], { cwd: tmpdir(), env });
      expect(more.exitCode).toBe(0);
      const { rows } = await database.pool.query('select rolconnlimit from pg_roles where rolname = $1', [
        visitor,
      ]);
      expect(rows).toEqual([{ rolconnlimit: 60 }]);
    } finally {
      await client.end();
      await database.pool.query(`drop owned by ${visitor}; drop role ${visitor}`);
    }
  });
});

describe('a database that others use as well', () => {
  it('keeps its rights of PUBLIC, and the command prints what they leave open', async () => {
    const shared = await createTestDatabase();
    const sharedDb = createDatabase(shared.pool);
    const visitor = `bi_visitor_${process.pid}`;
    const give = (ownDatabase: boolean) =>
      grantBi(sharedDb, { name: visitor, api: false, password, statementTimeoutMs: 1_000, ownDatabase });
    const temporary = async () => {
      const { rows } = await shared.pool.query<{ has: boolean }>(
        `select has_database_privilege('public', current_database(), 'temporary') as has`,
      );
      return rows[0]?.has;
    };
    try {
      await shared.pool.query(
        'create schema shop; create table shop.orders (a integer); create table public.notes (a integer); grant select on public.notes to public',
      );
      const granted = await give(false);
      expect(granted.others).toEqual(['public.notes', 'shop', 'shop.orders']);
      expect(granted.open.map(({ may }) => may)).toEqual(
        expect.arrayContaining(['make temporary tables', 'read or write public.notes', 'make large objects']),
      );
      expect(openLines(granted)[0]).toMatch(/other things as well \(public\.notes, shop, shop\.orders\)/);
      expect(await temporary()).toBe(true);

      const owned = await give(true);
      expect(owned.open).toEqual([
        { may: 'read or write public.notes', fix: 'revoke all on public.notes from public' },
      ]);
      expect(await temporary()).toBe(false);
    } finally {
      await shared.pool.query(`drop owned by ${visitor}`).catch(() => undefined);
      await shared.pool.query(`drop role if exists ${visitor}`);
      await shared.drop();
    }
  });
});

// Asks as Metabase's driver for Postgres does: tables and columns with comments, samples, distinct values.
describe('a BI tool that looks around', () => {
  it('finds nothing but bi and bi_history among what it may select from', async () => {
    const { rows } = await reader.query(`
      select n.nspname as schema, c.relname as name, obj_description(c.oid, 'pg_class') as description
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'f', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and pg_catalog.has_schema_privilege(n.oid, 'usage')
        and (pg_catalog.has_table_privilege(c.oid, 'select') or pg_catalog.has_any_column_privilege(c.oid, 'select'))`);
    expect(new Set(rows.map((row) => row.schema))).toEqual(new Set(['bi', 'bi_history']));
    expect(rows.filter((row) => !row.description)).toEqual([]);
  });

  it('finds every column with a comment', async () => {
    const { rows } = await reader.query(`
      select c.table_schema, c.table_name, c.column_name, c.udt_name,
        pg_catalog.col_description(format('%I.%I', c.table_schema, c.table_name)::regclass, c.ordinal_position::integer) as comment
      from information_schema.columns c where c.table_schema !~ '^information_schema|catalog_history|^pg_'`);
    expect(new Set(rows.map((row) => row.table_schema))).toEqual(new Set(['bi', 'bi_history']));
    expect(rows.length).toBeGreaterThan(300);
    expect(rows.filter((row) => !row.comment || /json/.test(row.udt_name))).toEqual([]);
  });

  it('scans every view and the values of every column, whatever its time zone, and dates stay', async () => {
    const { rows } = await reader.query<{ name: string; columns: string[]; dates: string[] }>(`
      select format('%I.%I', table_schema, table_name) as name, array_agg(column_name::text) as columns,
        array_remove(array_agg(case data_type when 'date' then column_name::text end), null) as dates
      from information_schema.columns where table_schema in ('bi', 'bi_history') group by 1`);
    for (const { name, columns, dates } of rows) {
      const seen: string[] = [];
      for (const zone of ['America/Los_Angeles', 'Pacific/Kiritimati']) {
        await reader.query(`set time zone '${zone}'`);
        await reader.query(`select * from ${name} limit 10000`);
        const list = dates.length === 0 ? "''" : dates.map((date) => `"${date}"::text`).join(" || ',' || ");
        const dated = await reader.query<{ d: string }>(`select ${list} as d from ${name} order by 1`);
        seen.push(JSON.stringify(dated.rows));
      }
      expect(new Set(seen).size).toBe(1);
      const all = columns.map((column) => `"${column}"`).join(', ');
      await reader.query(`select ${all} from ${name} group by ${all} order by ${all} limit 1000`);
    }
    await reader.query(`set time zone 'UTC'`);
    expect((await reader.query('select measured_date::text as d from bi.measurements')).rows).toEqual([
      { d: '2026-03-01' },
    ]);
  });
});
