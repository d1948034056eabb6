// Tries what somebody could write into query_bi to do more than read views, each with its outcome. The role is that of
// airank grant-bi, in a database that holds nothing but the warehouse.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Assistant, assistantOf } from '../support/ask-mcp.ts';
import { useBiRole } from '../support/bi-role.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase(() => createSandboxWarehouse({ from: '2026-03-01', days: 1 }));
const role = useBiRole(database, { connections: 4, statementTimeoutMs: 3_000 });
let assistant: Assistant;

beforeAll(async () => {
  assistant = await assistantOf(database, { queryUrl: role.url });
});
afterAll(() => assistant.close());

/** Another role than this one ever reads. */
const secret = /SCRAM-SHA-256\$|root:x:|"payload"/;

type Attack = readonly [
  name: string,
  sql: string,
  outcome: 'sql_refused' | 'too_slow' | 'too_large' | RegExp,
];

/** They take all the time that there is, so both run at once. */
const slow: readonly Attack[] = [
  [
    'the timeout lifted a fetch before',
    "select case when g = 1 then set_config('statement_timeout', '0', true) when g > 30 then pg_sleep(60)::text end from generate_series(1, 100) as g",
    'too_slow',
  ],
  [
    'a regular expression that explodes',
    "select repeat('a', 40) ~ '^(a|a?)+(a|aa)+(a|a?)+$' from generate_series(1, 1e9)",
    'too_slow',
  ],
];

const attacks: readonly Attack[] = [
  // More than one statement, and what is no SELECT.
  ['two statements', 'select 1; drop schema bi cascade', 'sql_refused'],
  ['a commit in between', 'select 1; commit; drop schema bi cascade', 'sql_refused'],
  ['a comment that hides the second', 'select 1 /* ; */ ; -- \n delete from bi.clients', 'sql_refused'],
  ['the end of the cursor first', '1; close airank_rows', 'sql_refused'],
  ['nothing', '', 'sql_refused'],
  ['an open quote', "select 'x", 'sql_refused'],
  ['a parameter', 'select $1::text', 'sql_refused'],
  ['an INSERT', "insert into sync.note (account) values ('x')", 'sql_refused'],
  ['a MERGE', 'merge into sync.slice s using bi.clients c on false when matched then delete', 'sql_refused'],
  ['a writable CTE', 'with x as (delete from sync.slice returning *) select * from x', 'sql_refused'],
  ['SELECT INTO', 'select * into taken from bi.clients', 'sql_refused'],
  ['CREATE TABLE AS', 'create table taken as select 1', 'sql_refused'],
  ['DO', 'do $$ begin perform pg_sleep(9); end $$', 'sql_refused'],
  ['COPY to a program', "copy (select 1) to program 'id'", 'sql_refused'],
  ['SET', 'set session authorization postgres', 'sql_refused'],
  ['FOR UPDATE', 'select * from sync.slice for update', 'sql_refused'],
  // Another role, and its settings.
  [
    'the role taken off beside a reading function',
    "select set_config('role', 'none', true), query_to_xml('select rolpassword from pg_authid', true, true, '')",
    'sql_refused',
  ],
  ['the role of the owner', "select set_config('role', 'postgres', true)", 'sql_refused'],
  ['writing switched on', "select set_config('transaction_read_only', 'off', true)", 'sql_refused'],
  [
    'row security off',
    "select set_config('row_security', 'off', true), count(*) from bi.clients",
    /"off","3"/,
  ],
  ['password hashes', 'select * from pg_authid', 'sql_refused'],
  ['password hashes of the view', 'select rolname, rolpassword from pg_roles limit 3', /\*{8}/],
  [
    'statements of others',
    "select query from pg_stat_activity where usename <> current_user and query not like '<insufficient%'",
    /"rows":\[\]/,
  ],
  // Tables behind the views.
  ['records', 'select * from snapshot.record', 'sql_refused'],
  ['records by XML', "select schema_to_xml('snapshot', true, true, '')", 'sql_refused'],
  [
    'records by a query in XML',
    "select query_to_xml('select * from snapshot.record', true, true, '')",
    'sql_refused',
  ],
  ['the whole database as XML', "select database_to_xml(true, true, '')", /./],
  ['the generated views', 'select * from api.visibility', 'sql_refused'],
  ['bookkeeping', 'select * from sync.budget', 'sql_refused'],
  [
    'statistics of hidden tables',
    "select * from pg_stats where schemaname in ('snapshot', 'typed', 'sync')",
    /"rows":\[\]/,
  ],
  ['a function of the warehouse', "select sync.take_token('default', 1, 1)", 'sql_refused'],
  // Files, programs, network.
  ['a file', "select pg_read_file('/etc/passwd')", 'sql_refused'],
  ['the log', 'select * from pg_ls_logdir()', 'sql_refused'],
  ['a large object of a file', "select lo_import('/etc/passwd')", 'sql_refused'],
  ['another database', "select * from dblink('host=127.0.0.1', 'select 1') as t (x text)", 'sql_refused'],
  ['the settings of the server read again', 'select pg_reload_conf()', 'sql_refused'],
  ['the log of changes', "select pg_logical_emit_message(false, 'x', 'y')", 'sql_refused'],
  ['a replication slot', "select pg_create_physical_replication_slot('x')", 'sql_refused'],
  // Locks and other sessions.
  ['an advisory lock', 'select pg_advisory_lock(1)', 'sql_refused'],
  [
    "the end of others' sessions",
    'select pg_terminate_backend(pid) from pg_stat_activity where usename <> current_user and pid is not null',
    'sql_refused',
  ],
  ['a message to listeners', "select pg_notify('airank', 'x')", /""/],
  // Memory, space.
  ['wide rows', "select repeat('x', 1000000) from generate_series(1, 100)", 'too_large'],
  // On a busy machine the time of these two is over first.
  ['a cell of 150 MB', "select repeat(repeat('x', 15000), 10000)", /"code":"too_(large|slow)"/],
  ['an error of 100 MB', "select repeat(repeat('x', 10000), 10000)::integer", /"code":"too_(large|slow)"/],
  ['a cell of a gigabyte', "select repeat(repeat('x', 100000), 20000)", 'sql_refused'],
  ['rows without an end', 'select generate_series(1, 1000000000)', /"row_count":200,"truncated":true/],
  ['a cell of 3,000 characters', "select repeat('x', 3000)", /\[cut: 3000 characters\]/],
  [
    'two thousand columns',
    `select ${Array.from({ length: 2_000 }, (_, at) => at).join(', ')}`,
    'sql_refused',
  ],
  ['a statement of 20,001 characters', `select '${'x'.repeat(20_000)}'`, 'too_large'],
  ['parentheses ten thousand deep', `select ${'('.repeat(9_000)}1${')'.repeat(9_000)}`, /sql_refused|"1"/],
];

async function expectHarmless([, sql, outcome]: Attack): Promise<void> {
  const before = process.memoryUsage().rss;
  const said = await assistant.call('query_bi', { sql });
  const text = JSON.stringify(said);
  if (outcome instanceof RegExp) expect(text).toMatch(outcome);
  else expect(said.error, text.slice(0, 500)).toMatchObject({ code: outcome });
  expect(text).not.toMatch(secret);
  expect(text.length).toBeLessThan(70_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
}

describe(`${attacks.length + slow.length} attacks on query_bi`, () => {
  it.each(attacks)('%s', (...attack) => expectHarmless(attack));

  it('that would go on for ever', async () => {
    await Promise.all(slow.map(expectHarmless));
  });

  it('left nothing: no table, no role that writes, no session', async () => {
    const { rows } = await database.pool.query(
      `select (select count(*) from bi.clients where not is_account) as clients,
        (select count(*) from pg_class where relname in ('taken', 't')) as tables,
        (select count(*) from pg_largeobject_metadata) as objects`,
    );
    expect(rows).toEqual([{ clients: 2, tables: 0, objects: 0 }]);
    await expect
      .poll(async () => {
        const sessions = await database.pool.query('select from pg_stat_activity where usename = $1', [
          role.name,
        ]);
        return sessions.rows.length;
      })
      .toBe(0);
  });
});

describe('a role that does more than read', () => {
  const ask = async (address: string) => {
    const other = await assistantOf(database, { queryUrl: address });
    try {
      return await other.call('query_bi', { sql: 'select 1' });
    } finally {
      await other.close();
    }
  };

  it('is refused before its first statement: the owner', async () => {
    const { error } = await ask(database.url);
    expect(error).toMatchObject({ code: 'not_available' });
    expect(error?.message).toContain('it may administer the server');
  });

  it('is refused: a member of another role, a reader of other tables', async () => {
    const name = `${role.name}_member`;
    await database.pool.query(`create role ${name} login password 'p' in role pg_read_all_data`);
    try {
      const address = new URL(role.url);
      [address.username, address.password] = [name, 'p'];
      const { error } = await ask(address.href);
      expect(error?.code).toBe('not_available');
      expect(error?.message).toContain('it is a member of pg_read_all_data');
      expect(error?.message).toContain('it may read or write snapshot.record');
    } finally {
      await database.pool.query(`drop role ${name}`);
    }
  });

  it('says so of a role that cannot log in', async () => {
    const address = new URL(role.url);
    address.password = 'wrong';
    expect((await ask(address.href)).error?.code).toMatch(/not_available|unreachable/);
  });
});

it('runs two at a time, and says so to a third', async () => {
  const sql = 'select pg_sleep(0.5)';
  const said = await Promise.all([1, 2, 3].map(() => assistant.call('query_bi', { sql })));
  expect(said.map(({ error }) => error?.code).sort()).toEqual(['busy', undefined, undefined]);
});
