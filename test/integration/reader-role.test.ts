// Dashboards and reports read bi, and nothing else of the warehouse. Passwords leave this process as
// verifiers only, and the server takes those as its own.

import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../src/db/database.ts';
import { createPool } from '../../src/db/pool.ts';
import { scramVerifier } from '../../src/db/scram.ts';
import { grantBi } from '../../src/export/grant-bi.ts';
import {
  openReader,
  prepareReaderRole,
  type Reader,
  readerRole,
} from '../../src/reporting/reader/open-reader.ts';
import { airank } from '../support/fake-terminal.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const role = `reader_login_${process.pid}`;
const open: Reader[] = [];

async function reader(options: {
  readerUrl?: string;
  warehouse?: pg.Pool;
  statementTimeoutMs?: number;
}): Promise<Reader> {
  const opened = await openReader({
    ...options,
    readerUrl: options.readerUrl,
    warehouse: options.warehouse ?? database.pool,
  });
  open.push(opened);
  return opened;
}

function urlOf(user: string, password: string): string {
  const url = new URL(database.url);
  url.username = user;
  url.password = password;
  return url.href;
}

const pools: pg.Pool[] = [];

function poolOf(connectionString: string, max = 4): pg.Pool {
  const pool = createPool({ connectionString, max, applicationName: 'airank-test' });
  pools.push(pool);
  return pool;
}

afterAll(async () => {
  for (const one of open) await one.close();
  for (const pool of pools) await pool.end();
  const db = await database.pool.query<{ d: string }>('select current_database() as d');
  for (const name of [role, `${role}_plain`, `${role}_maker`, `${role}_first`, `${role}_scram`]) {
    const { rowCount } = await database.pool.query('select from pg_roles where rolname = $1', [name]);
    if (rowCount === 0) continue;
    await database.pool.query(`drop owned by ${name}`);
    await database.pool.query(`revoke all on database ${db.rows[0]?.d} from ${name}`);
    await database.pool.query(`drop role ${name}`);
  }
});

describe('a session with the connection of the warehouse', () => {
  it('reads every view of bi as a role that has nothing else', async () => {
    const { pool, unbound } = await reader({});
    expect(unbound).toBeUndefined();
    const { rows } = await pool.query<{ who: string; view: string }>(
      `select current_user as who, c.relname as view from pg_class as c
       where c.relnamespace = 'bi'::regnamespace and c.relkind = 'v'`,
    );
    expect(rows.length).toBeGreaterThan(30);
    expect(rows[0]?.who).toBe(readerRole);
    for (const { view } of rows) await pool.query(`select * from ${pg.escapeIdentifier(view)} limit 1`);
  });

  it.each([
    ['read the bookkeeping', 'select * from sync.slice'],
    ['read records', 'select * from snapshot.record'],
    ['read generated views', 'select * from bi_map.client'],
    ['write', "begin read write; update sync.slice set error = 'x'"],
    ['make a table', 'begin read write; create table bi.mine (a int)'],
  ])('cannot %s', async (_, statement) => {
    const { pool } = await reader({});
    await expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('is read only, and ends long statements', async () => {
    const { pool } = await reader({});
    const { rows } = await pool.query(
      `select name, setting from pg_settings
       where name in ('default_transaction_read_only', 'statement_timeout', 'jit', 'search_path') order by name`,
    );
    expect(rows).toEqual([
      { name: 'default_transaction_read_only', setting: 'on' },
      { name: 'jit', setting: 'off' },
      { name: 'search_path', setting: 'bi' },
      { name: 'statement_timeout', setting: '30000' },
    ]);
  });

  it('is the connection of the warehouse, which has all its rights and settings back after it', async () => {
    const warehouse = poolOf(database.url, 1);
    const said = () =>
      warehouse.query(
        `select pg_backend_pid() as pid, current_user as who, setting, name from pg_settings
         where name in ('default_transaction_read_only', 'jit', 'search_path', 'statement_timeout') order by name`,
      );
    const before = (await said()).rows;
    const { pool } = await reader({ warehouse });
    const { rows } = await pool.query('select pg_backend_pid() as pid, current_user as who');
    expect(rows).toEqual([{ pid: before[0].pid, who: readerRole }]);
    expect((await said()).rows).toEqual(before);
    const api = await openReader({ readerUrl: undefined, warehouse, api: true });
    await pool.query('select from clients');
    expect((await api.pool.query('select current_user as who')).rows).toEqual([{ who: 'airank_api_reader' }]);
    expect((await said()).rows).toEqual(before);
  });

  it('learns views that came later', async () => {
    await database.pool.query('create view bi.later as select 1 as a');
    const { pool } = await reader({});
    expect((await pool.query('select a from bi.later')).rows).toEqual([{ a: 1 }]);
    await database.pool.query('drop view bi.later');
  });
});

describe('a role that is there already, as of another database of the server', () => {
  it('gets what it lacks in this one', async () => {
    await reader({});
    await database.pool.query(`revoke select on all tables in schema bi from ${readerRole}`);
    await database.pool.query(`revoke usage on schema bi from ${readerRole}`);
    const { pool, unbound } = await reader({});
    expect(unbound).toBeUndefined();
    expect(
      (await pool.query('select current_user as who from clients right join (select) as one on true')).rows,
    ).toEqual([{ who: readerRole }]);
  });

  it('is not taken on when it may do more than read', async () => {
    await database.pool.query(`alter role ${readerRole} createdb`);
    try {
      const { pool, unbound } = await reader({});
      expect(unbound).toBe(`the role ${readerRole} may do more than read bi`);
      await expect(pool.query('create table bi.mine (a int)')).rejects.toMatchObject({ code: '25006' });
    } finally {
      await database.pool.query(`alter role ${readerRole} nocreatedb`);
    }
  });
});

describe('a session of a role without the right to make roles', () => {
  it('is read only, and says what it is bound by', async () => {
    const plain = `${role}_plain`;
    await database.pool.query(`create role ${plain} login password 'plain-1'`);
    await database.pool.query(`grant usage on schema bi to ${plain}`);
    await database.pool.query(`grant select on all tables in schema bi to ${plain}`);
    await database.pool.query(`revoke select on bi.clients from ${readerRole}`);
    const { pool, unbound } = await reader({ warehouse: poolOf(urlOf(plain, 'plain-1')) });
    expect(unbound).toMatch(/permission denied/);
    await pool.query('select from clients');
    await expect(pool.query('create temporary table t (a int)')).rejects.toMatchObject({ code: '25006' });
    const pages = ['dashboard', '--client', '7', '--output', 'x.html'];
    const env = { DATABASE_URL: urlOf(plain, 'plain-1'), AIRANK_DATA_DIR: '/nowhere' };
    const [line, answer] = (await airank(pages, { cwd: '/', env })).stderr.split('\n');
    expect(line).toMatch(
      /^Reading as the role of DATABASE_URL, in read-only sessions: permission denied .*\. For a role that can only read bi, run airank grant-bi ROLE and set AIRANK_READER_URL$/,
    );
    expect(answer).toMatch(/^Expected a client of bi.clients, got "7"/);
    await database.pool.query(`grant select on bi.clients to ${readerRole}`);
  });
});

describe('the role at its first use', () => {
  it('is ready for each of those who make it at once', async () => {
    const pools = Array.from({ length: 6 }, () => new pg.Pool({ connectionString: database.url, max: 1 }));
    await Promise.all(pools.map((pool) => pool.query('select 1')));
    const ready = await Promise.all(
      pools.map((pool) => prepareReaderRole(createDatabase(pool), `${role}_first`)),
    );
    for (const pool of pools) await pool.end();
    expect(ready).toEqual(pools.map(() => ({ ready: true })));
  });
});

describe('a session of AIRANK_READER_URL', () => {
  it('is the role that airank grant-bi made', async () => {
    const db = database.db;
    await grantBi(db, { name: role, api: false, password: 'reader-1', statementTimeoutMs: 60_000 });
    const { pool, unbound } = await reader({ readerUrl: urlOf(role, 'reader-1'), statementTimeoutMs: 200 });
    expect(unbound).toBeUndefined();
    expect((await pool.query('select current_user as who')).rows).toEqual([{ who: role }]);
    await expect(pool.query('select * from sync.slice')).rejects.toMatchObject({ code: '42501' });
    await expect(pool.query('select pg_sleep(5)')).rejects.toMatchObject({ code: '57014' });
  });
});

describe('the password of a login role', () => {
  it.each(['secret', 'señor', 'a\u00a0b\u00adc', 'ﬁne', '名前'])(
    'is what the server makes of the same password: %j',
    async (password) => {
      const { pool } = database;
      await pool.query(`drop role if exists ${role}_scram; set password_encryption = 'scram-sha-256'`);
      await pool.query(`create role ${role}_scram password '${password}'`);
      const { rows } = await pool.query<{ verifier: string }>(
        `select rolpassword as verifier from pg_authid where rolname = '${role}_scram'`,
      );
      const made = rows[0]?.verifier ?? '';
      const salt = Buffer.from(/:([^$]+)\$/.exec(made)?.[1] ?? '', 'base64');
      expect(scramVerifier(password, salt)).toBe(made);
    },
  );

  it('grant-bi sends no password', async () => {
    const sent: string[] = [];
    const db = new Kysely<Database>({
      dialect: new PostgresDialect({ pool: database.pool }),
      log: ({ query }) => {
        sent.push(query.sql, ...query.parameters.map(String));
      },
    });
    await grantBi(db, {
      name: `${role}_scram`,
      api: false,
      password: 'open-sesame',
      statementTimeoutMs: 1_000,
    });
    expect(sent.some((text) => text.includes(`alter role "${role}_scram" password`))).toBe(true);
    expect(sent.filter((text) => text.includes('open-sesame'))).toEqual([]);
  });
});
