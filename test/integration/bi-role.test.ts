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
import { grantBi } from '../../src/export/grant-bi.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { useBiRole } from '../support/bi-role.ts';
import { airank } from '../support/fake-terminal.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const bi = useBiRole(database);
const { name: role, grant } = bi;
let reader: pg.Client;
const forbidden = { code: '42501' };

beforeAll(async () => {
  const slice = { clientId: '7', runDate: '2026-03-01' };
  const product = { id: 1, nombre: 'Silla', precio: 10, fecha: '2026-03-01' };
  await publishRecords(database.db, { ...slice, stream: 'products', records: [product] });
  const measured = { id: 1, fecha: '2026-03-01T23:30:00-05:00', puntuacion: 4, metodo: 'v2' };
  await publishRecords(database.db, { ...slice, stream: 'mediciones', records: [measured] });
  await refreshViews(database.db);
  await refreshMapping(database.db);
  reader = await connect();
});

afterAll(() => reader.end());

async function connect(connectionString = bi.url): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

/** Works with a session of its own. */
async function inSession<Result>(
  work: (client: pg.Client) => Promise<Result>,
  url?: string,
): Promise<Result> {
  const client = await connect(url);
  return await work(client).finally(() => client.end());
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
    await database.rows('create view bi.later as select 1 as one');
    expect((await reader.query('select one from bi.later')).rows).toEqual([{ one: 1 }]);
    await database.rows('drop view bi.later');
  });

  it('reads ops when that is granted, and no more when it is granted without', async () => {
    await expect(reader.query('select * from ops.write_log')).rejects.toMatchObject(forbidden);
    await grant({ ops: true });
    expect((await reader.query('select * from ops.write_log')).rows).toEqual([]);
    await expect(reader.query('select * from sync.write')).rejects.toMatchObject(forbidden);
    await grant();
    await expect(reader.query('select * from ops.write_log')).rejects.toMatchObject(forbidden);
  });

  it('gets the api schema only when asked for, and loses it again', async () => {
    await grant({ api: true });
    expect((await reader.query('select nombre from api.products')).rows).toEqual([{ nombre: 'Silla' }]);
    await publishRecords(database.db, { stream: 'nueva', runDate: '2026-03-01', records: [{ id: 1 }] });
    await refreshViews(database.db);
    expect((await reader.query('select id from api.nueva')).rows).toEqual([{ id: '1' }]);
    await grant();
    await expect(reader.query('select nombre from api.products')).rejects.toMatchObject(forbidden);
    expect((await reader.query('select title from bi.products')).rows).toHaveLength(1);
  });

  it('is bounded in time and connections, and reads only by default', async () => {
    expect(await grant()).toMatchObject({ created: false, others: [], open: [] });
    const { rows } = await reader.query(
      `select current_setting('statement_timeout') as t, current_setting('default_transaction_read_only') as r,
        current_setting('jit') as j, (select source from pg_settings where name = 'jit') as by,
        current_setting('temp_file_limit') as f, (select rolconnlimit from pg_roles where rolname = current_user) as c`,
    );
    // These settings belong to the role itself, whatever the server has.
    expect(rows).toEqual([{ t: '20s', r: 'on', j: 'off', by: 'database user', f: '4GB', c: 20 }]);
    await grant({ statementTimeoutMs: 50 });
    const slept = inSession((client) => client.query('select pg_sleep(60)'));
    await expect(slept.finally(() => grant())).rejects.toThrow('statement timeout');
  });

  it('is in UTC in a database of another zone, so that no moment falls on the day before', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await database.rows(`alter database ${name} set timezone = 'America/New_York'`);
    const day = `select current_setting('timezone') as zone, (timestamptz '2026-10-25 00:30Z')::date::text as day`;
    const { rows } = await inSession((client) => client.query(day));
    expect(rows).toEqual([{ zone: 'UTC', day: '2026-10-25' }]);
    await database.rows(`alter database ${name} reset timezone`);
  });

  it.each([
    'select * from sync.slice',
    'select * from snapshot.products',
    'select * from bi_map.products',
    'select * from api.products',
    "select sync.take_token('a', 'b', 'c', 1, 1, 0, '0', '0')",
    'create table bi.mine (a integer)',
    'create table public.mine (a integer)',
    "do $$ begin execute 'create temporary table mine (a integer)'; end $$",
    "create function bi.f() returns integer language sql as 'select 1'",
    "copy (select 1) to '/tmp/x'",
    "select pg_read_file('/etc/passwd')",
    'set role pg_read_all_data',
    `alter role ${role} superuser`,
    'truncate snapshot.products',
    'select * from pg_authid',
    "select lo_import('/etc/passwd')",
    "select lo_from_bytea(0, 'x')",
    "select pg_logical_emit_message(false, 'a', repeat('x', 1000))",
    'select pg_advisory_lock(sync.worker_lock_class(), 1)',
    'begin; lock table bi.clients in access exclusive mode',
    'create database mine',
    "set temp_file_limit = '100GB'",
    'select pg_terminate_backend(pid) from pg_stat_activity where usename <> current_user and pid is not null',
    'comment on view bi.clients is null',
    "select nextval('sync.run_id_seq')",
  ])('cannot %s, even after switching read only off', async (statement) => {
    await inSession(async (client) => {
      await client.query('set default_transaction_read_only = off');
      await expect(client.query(statement)).rejects.toMatchObject(forbidden);
    });
  });

  it('writes through no view, also one that takes writes', async () => {
    await database.rows('create view bi.later as select job, status from sync.batch');
    await inSession(async (client) => {
      await client.query('set default_transaction_read_only = off');
      for (const statement of [
        'delete from later',
        "update later set status = 'failed'",
        "insert into later (job) values ('x')",
        'select status from later for update',
      ])
        await expect(client.query(statement), statement).rejects.toMatchObject(forbidden);
      // Granting what is not one's own to grant is a warning and no error.
      await client.query('grant select on bi.later to public');
    });
    expect(await database.lines(`select has_table_privilege('public', 'bi.later', 'select')`)).toEqual([
      'false',
    ]);
    await database.rows('drop view bi.later');
  });

  // Postgres leaves this to every session. It is written down so that nobody relies on more.
  it('may lift the bounds of its own session, and what it stores of that is gone with the next grant', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await inSession(async (client) => {
      await client.query('set statement_timeout = 0; set default_transaction_read_only = off');
      await client.query(`alter role ${role} set statement_timeout = 0`);
      await client.query(`alter role ${role} in database ${name} set statement_timeout = 0`);
    });
    const timeout = async () =>
      (await inSession((client) => client.query('show statement_timeout'))).rows[0].statement_timeout;
    expect(await timeout()).toBe('0');
    await grant();
    expect(await timeout()).toBe('20s');
  });

  it('is refused for a role that could do more', async () => {
    const [me = ''] = await database.lines('select current_user');
    await expect(grant({ name: me, password: undefined })).rejects.toThrow('Choose another name');
    await expect(grant({ name: 'pg_monitor', password: undefined })).rejects.toThrow();
  });
});

describe('airank grant-bi', () => {
  const visitor = `bi_visitor_${process.pid}`;
  const run = (args: readonly string[], env = {}) =>
    airank(args, { cwd: tmpdir(), env: { DATABASE_URL: database.url, ...env } });
  const comesIn = async (word: string) => {
    const url = new URL(database.url);
    [url.username, url.password] = [visitor, word];
    return (await inSession((client) => client.query('select title from products'), url.href)).rows;
  };
  const leave = () => database.rows(`drop owned by ${visitor}; drop role ${visitor}`);

  it('makes a password once for a new role, which stays the same afterwards', async () => {
    try {
      const first = await run(['grant-bi', visitor]);
      const word = /Its password, shown this once: (\S{24})\n/.exec(first.stdout)?.[1] ?? '';
      expect(await comesIn(word)).toEqual([{ title: 'Silla' }]);
      expect((await run(['grant-bi', visitor])).stdout).toContain('Its password is unchanged');
      expect(await comesIn(word)).toEqual([{ title: 'Silla' }]);
      await run(['grant-bi', visitor, '--password-env', 'WORD'], { WORD: 'other1' });
      await expect(comesIn(word)).rejects.toThrow('password');
      expect(await comesIn('other1')).toEqual([{ title: 'Silla' }]);
    } finally {
      await leave();
    }
  });

  it('of docker-compose.yml makes a role by whose password a BI tool comes in and reads, and nothing else', async () => {
    const compose = parse(await readFile(join(packageRoot(), 'docker-compose.yml'), 'utf8'), { merge: true });
    const command: string[] = compose.services['grant-bi'].command;
    const args = command.map((word) => (word === 'metabase_reader' ? visitor : word));
    const env = { METABASE_READER_PASSWORD: 'abc123' };
    const { hostname, port, pathname } = new URL(database.url);
    try {
      const said = await run(args, env);
      expect(said).toMatchObject({ exitCode: 0 });
      expect(said.stdout).toBe(
        `Role ${visitor} reads the views of bi and bi_history, statements up to 60 seconds.\n` +
          `Connect to host ${hostname}, port ${port}, database ${pathname.slice(1)}.\n`,
      );
      expect(said.stdout + said.stderr).not.toContain('abc123');
      expect(await comesIn('abc123')).toEqual([{ title: 'Silla' }]);
      // As a container that starts again.
      expect(await run(args, env)).toMatchObject({ exitCode: 0, stdout: said.stdout });
      expect((await run([...args, '--connections', '60'], env)).exitCode).toBe(0);
      const limit = 'select rolconnlimit from pg_roles where rolname = $1';
      expect(await database.lines(limit, visitor)).toEqual(['60']);
    } finally {
      await leave();
    }
  });

  it('keeps the rights of PUBLIC in a database that others use as well, and prints what they leave open', async () => {
    const shared = await createTestDatabase();
    const give = (ownDatabase: boolean) =>
      grantBi(shared.db, {
        name: visitor,
        api: false,
        password: 'x',
        statementTimeoutMs: 1_000,
        ownDatabase,
      });
    const temporary = () =>
      shared.lines(`select has_database_privilege('public', current_database(), 'temporary')`);
    try {
      await shared.rows(
        'create schema shop; create table shop.orders (a integer); create table public.notes (a integer); grant select on public.notes to public',
      );
      const granted = await give(false);
      expect(granted.others).toEqual(['public.notes', 'shop', 'shop.orders']);
      expect(granted.open.map(({ may }) => may)).toEqual(
        expect.arrayContaining(['make temporary tables', 'read or write public.notes', 'make large objects']),
      );
      expect(openLines(granted)[0]).toMatch(/other things as well \(public\.notes, shop, shop\.orders\)/);
      expect(await temporary()).toEqual(['true']);
      const fix = 'revoke all on public.notes from public';
      expect((await give(true)).open).toEqual([{ may: 'read or write public.notes', fix }]);
      expect(await temporary()).toEqual(['false']);
    } finally {
      await shared.rows(`drop owned by ${visitor}; drop role ${visitor}`);
      await shared.drop();
    }
  });
});

// Asks as Metabase's driver for Postgres does: tables, samples, distinct values.
describe('a BI tool that looks around', () => {
  it('finds nothing but bi and bi_history among what it may select from', async () => {
    const { rows } = await reader.query(`
      select n.nspname as schema from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'f', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and pg_catalog.has_schema_privilege(n.oid, 'usage')
        and (pg_catalog.has_table_privilege(c.oid, 'select') or pg_catalog.has_any_column_privilege(c.oid, 'select'))`);
    expect(new Set(rows.map((row) => row.schema))).toEqual(new Set(['bi', 'bi_history']));
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
