// The role of BI tools: what it may see, and that it cannot get further.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refreshMapping } from '../../src/warehouse/bi/refresh-mapping.ts';
import { createDatabase, type Executor } from '../../src/warehouse/database.ts';
import { grantBi } from '../../src/warehouse/grant-bi.ts';
import { refreshViews } from '../../src/warehouse/views/refresh-views.ts';
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

async function grant(api: boolean): Promise<void> {
  await grantBi(db, { name: role, api, password, statementTimeoutMs: 20_000 });
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
  it('reads every view of bi, also those that come later', async () => {
    const { rows } = await reader.query(
      `select table_name from information_schema.tables where table_schema = 'bi'`,
    );
    expect(rows.length).toBe(39);
    expect((await reader.query('select title, client_id from product_performance')).rows).toEqual([
      { title: 'Silla', client_id: '7' },
    ]);
    await database.pool.query('create view bi.later as select 1 as one');
    expect((await reader.query('select one from bi.later')).rows).toEqual([{ one: 1 }]);
    await database.pool.query('drop view bi.later');
  });

  it('is bounded in time and reads only by default', async () => {
    const { rows } = await reader.query(
      `select current_setting('statement_timeout') as t, current_setting('default_transaction_read_only') as r`,
    );
    expect(rows).toEqual([{ t: '20s', r: 'on' }]);
  });

  it.each([
    ['select * from sync.slice'],
    ['select * from snapshot.products'],
    ['select * from snapshot.record'],
    ['select * from bi_map.products'],
    ['select * from api.products'],
    ["select sync.take_token('a', 'b', 'c', 1, 1, 0, '0', '0')"],
    ['select * from sync.merge_learned()'],
    ['delete from bi.clients'],
    ["update bi.clients set client_name = 'x'"],
    ['create table bi.mine (a integer)'],
    ['create schema mine'],
    ['create temporary table mine (a integer)'],
    ["create function bi.f() returns integer language sql as 'select 1'"],
    ['create or replace view bi.clients as select 1'],
    ['drop view bi.clients'],
    ["copy (select 1) to '/tmp/x'"],
    ["copy (select 1) to program 'cat'"],
    ["select pg_read_file('/etc/passwd')"],
    ['create extension dblink'],
    ['set role pg_read_all_data'],
    ['set session authorization pg_monitor'],
    [`alter role ${role} superuser`],
    ['truncate snapshot.products'],
    ["select set_config('session_preload_libraries', 'x', false)"],
    ['select * from pg_authid'],
    ["select lo_import('/etc/passwd')"],
    ['alter view bi.clients owner to current_user'],
    ['vacuum full snapshot.products; select 1 from nowhere'],
  ])('cannot %s, even after switching read only off', async (statement) => {
    const client = await connect();
    try {
      await client.query('set default_transaction_read_only = off');
      await client.query('set transaction read write');
      await expect(client.query(statement)).rejects.toThrow();
    } finally {
      await client.end();
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
    expect((await reader.query('select title from bi.product_performance')).rows).toHaveLength(1);
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

// What Metabase's driver for Postgres asks: tables and columns with comments, samples, distinct values.
describe('a BI tool that looks around', () => {
  it('finds nothing but bi among what it may select from', async () => {
    const { rows } = await reader.query(`
      select n.nspname as schema, c.relname as name, obj_description(c.oid, 'pg_class') as description
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'f', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and pg_catalog.has_schema_privilege(n.oid, 'usage')
        and (pg_catalog.has_table_privilege(c.oid, 'select') or pg_catalog.has_any_column_privilege(c.oid, 'select'))`);
    expect(new Set(rows.map((row) => row.schema))).toEqual(new Set(['bi']));
    expect(rows.filter((row) => !row.description)).toEqual([]);
  });

  it('finds every column with a comment', async () => {
    const { rows } = await reader.query(`
      select c.table_schema, c.table_name, c.column_name, c.udt_name,
        pg_catalog.col_description(format('%I.%I', c.table_schema, c.table_name)::regclass, c.ordinal_position::integer) as comment
      from information_schema.columns c where c.table_schema !~ '^information_schema|catalog_history|^pg_'`);
    expect(new Set(rows.map((row) => row.table_schema))).toEqual(new Set(['bi']));
    expect(rows.length).toBeGreaterThan(300);
    expect(rows.filter((row) => !row.comment || /json/.test(row.udt_name))).toEqual([]);
  });

  it('scans every view and the values of every column, whatever its time zone, and dates stay', async () => {
    const { rows } = await reader.query<{ name: string; columns: string[]; dates: string[] }>(`
      select table_name as name, array_agg(column_name::text) as columns,
        array_remove(array_agg(case data_type when 'date' then column_name::text end), null) as dates
      from information_schema.columns where table_schema = 'bi' group by 1`);
    for (const { name, columns, dates } of rows) {
      const seen: string[] = [];
      for (const zone of ['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati']) {
        await reader.query(`set time zone '${zone}'`);
        await reader.query(`select * from "bi"."${name}" limit 10000`);
        const list = dates.length === 0 ? "''" : dates.map((date) => `"${date}"::text`).join(" || ',' || ");
        const dated = await reader.query<{ d: string }>(`select ${list} as d from "bi"."${name}" order by 1`);
        seen.push(JSON.stringify(dated.rows));
      }
      expect(new Set(seen).size).toBe(1);
      for (const column of columns) {
        await reader.query(
          `select "${column}" from "bi"."${name}" group by "${column}" order by "${column}" asc limit 1000`,
        );
      }
    }
    await reader.query(`set time zone 'UTC'`);
    expect((await reader.query('select measured_date::text as d from bi.measurements')).rows).toEqual([
      { d: '2026-03-01' },
    ]);
  });
});
