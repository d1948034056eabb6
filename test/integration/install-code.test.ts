// Functions and views are installed by their texts: what changed, and nothing else.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';
import { readCodeFiles } from '../../src/db/code/code-files.ts';
import { findCodeChanges, installFunctions, installViews } from '../../src/db/code/install-code.ts';
import { createDatabase } from '../../src/db/database.ts';
import { createPool } from '../../src/db/pool.ts';
import { pendingSchema } from '../../src/install/expect-schema.ts';
import { eachFolder } from '../support/temp-folder.ts';
import { eachDatabase } from '../support/test-database.ts';

const database = eachDatabase();
const folder = eachFolder();

beforeEach(async () => {
  for (const part of ['code', 'bi', 'bi_history', 'ops'])
    await cp(join(packageRoot(), 'sql', part), folder(part), { recursive: true });
  await mkdir(folder('code', 'api'));
});

/** A view that needs no mapping. */
const viewText = (columns: string, name = 'fresh') =>
  `-- row: a thing\n-- question: What?\n-- group: visible\ncreate or replace view bi.${name} as\nselect\n${columns}\nfrom (select) as x;\n`;

const write = (name: string, text: string) => writeFile(folder('code', 'sync', `${name}.sql`), text);
/** Writes the file of a function: its arguments and type, then its body. */
const writeFunction = (name: string, signature: string, body: string) =>
  write(
    name,
    `create or replace function sync.${name}${signature} language sql immutable parallel safe ${body}`,
  );
const methodName = () => writeFunction('method_name', '(method text) returns text', `return 'v9'`);
const freshFunction = () => writeFunction('fresh', '() returns integer', 'return 1');
const writeView = (columns: string, name = 'fresh') =>
  writeFile(folder('bi', `${name}.sql`), viewText(columns, name));

async function install(pool = database.pool): Promise<void> {
  const files = await readCodeFiles(folder());
  await installFunctions(createDatabase(pool), files);
  await installViews(createDatabase(pool), files);
}

/** Lists every function and view that Postgres knows: another xmin means that it was made or replaced. */
async function objects(): Promise<ReadonlyMap<string, string>> {
  const rows = await database.rows<{ name: string; xmin: string }>(`
    select oid::regprocedure::text as name, oid || ' ' || xmin as xmin from pg_proc where pronamespace = 'sync'::regnamespace
    union all
    select oid::regclass::text, oid || ' ' || xmin from pg_class where relkind = 'v' and relnamespace = 'bi'::regnamespace`);
  return new Map(rows.map(({ name, xmin }) => [name, xmin]));
}

async function changedBy(work: () => Promise<void>): Promise<string[]> {
  const before = await objects();
  await work();
  const after = await objects();
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .sort();
}

const value = async (query: string) => (await database.lines(query))[0];

async function expectNothingChanged(message: RegExp): Promise<void> {
  const changed = await changedBy(() => expect(install()).rejects.toThrow(message));
  expect(changed).toEqual([]);
}

test('a changed text is installed again, in place, and no other one', async () => {
  expect(await changedBy(() => install())).toEqual([]);
  expect(await pendingSchema(database.pool)).toEqual([]);
  await methodName();
  expect(await changedBy(() => install())).toEqual(['sync.method_name(text)']);
  expect(await value(`select sync.method_name('x')`)).toBe('v9');
  expect(await changedBy(() => install())).toEqual([]);
  // A command that only looks says that this version's text is not the installed one.
  expect(await pendingSchema(database.pool)).toEqual(['code/sync/method_name.sql']);
});

test('a function that returns another type or takes other arguments is made anew, and the old one is gone', async () => {
  await write(
    'day_renewal',
    `create or replace function sync.day_renewal(p_account text, p_fallback interval, p_learn boolean)
    returns text language sql stable return 'text';
    comment on function sync.day_renewal is 'Another one.';`,
  );
  await write(
    'give_back',
    `create or replace function sync.give_back(p_account text, p_day date default null) returns void
    language sql begin atomic end;
    comment on function sync.give_back is 'Another one.';`,
  );
  await write(
    'spent_since',
    'create or replace function sync.spent_since(p_account text) returns bigint language sql return 1',
  );
  await install();
  expect(
    await database.lines(
      `select p.oid::regprocedure::text, prorettype::regtype::text, obj_description(oid, 'pg_proc')
       from pg_proc p where proname in ('day_renewal', 'give_back', 'spent_since') order by 1`,
    ),
  ).toEqual([
    'sync.day_renewal(text,interval,boolean) text Another one. (airank)',
    'sync.give_back(text,date) void Another one. (airank)',
    'sync.spent_since(text) bigint (airank)',
  ]);
});

test('a signature that a view or function needs stays, and the error names both', async () => {
  await writeFunction('surface_state', '(value text) returns integer', 'return 1');
  await methodName();
  await expectNothingChanged(
    /^sql\/code\/sync\/surface_state\.sql no longer has "sync"\."surface_state"\(value text\), which other objects need: view \S+ depends on function sync\.surface_state\(text\).*\. Nothing was changed/,
  );
});

test('the function of a deleted file is dropped', async () => {
  await rm(folder('code', 'sync', 'tenth_after.sql'));
  expect(await changedBy(() => install())).toEqual(['sync.tenth_after(timestamp with time zone)']);
  expect(await changedBy(() => install())).toEqual([]);
});

test('a function goes in the release in which the last view that calls it changes', async () => {
  await freshFunction();
  await writeView('  sync.fresh() as a -- A.');
  await install();
  await rm(folder('code', 'sync', 'fresh.sql'));
  await expect(install()).rejects.toThrow(/view bi\.fresh depends on function sync\.fresh\(\)/);
  await writeView('  1 as a -- A.');
  expect(await changedBy(() => install())).toContain('sync.fresh()');
});

/** A release in which the columns of bi.fresh moved, and a later view reads a new one. */
async function moveColumns(): Promise<void> {
  await writeView('  1 as a, -- A.\n  2 as b -- B.');
  await install();
  await writeView('  2 as b, -- B.\n  1 as a, -- A.\n  3 as c -- C.');
  const later = viewText('  f.c as c -- C.', 'fresh_too').replace('(select) as x', 'bi.fresh as f');
  await writeFile(folder('bi', 'fresh_too.sql'), later);
}

const installAgain = async () => await installViews(database.db, await readCodeFiles(folder()));

test('a view whose columns moved keeps its text while something of yours is built on it, and nothing else waits', async () => {
  await moveColumns();
  await writeView('  1 as a -- A.', 'other');
  await database.pool.query('create view public.mine as select a from bi.fresh');
  expect(await installAgain()).toMatchObject({
    installed: ['bi.other'],
    left: [
      {
        view: 'bi.fresh',
        because: expect.stringMatching(/built on it: view mine depends on view bi\.fresh/),
      },
      { view: 'bi.fresh_too', because: expect.stringMatching(/reads what bi\.fresh does not have yet/) },
    ],
  });
  expect(await value('select a from bi.fresh')).toBe('1');
  await database.pool.query('drop view public.mine');
  expect(await installAgain()).toEqual({ installed: ['bi.fresh', 'bi.fresh_too'], dropped: [], left: [] });
  expect(
    await value(`select attname from pg_attribute where attrelid = 'bi.fresh'::regclass and attnum = 1`),
  ).toBe('b');
});

test('a view that a session left open reads keeps its text, and the session is named', async () => {
  await moveColumns();
  const analyst = createPool({ connectionString: database.url, max: 1, applicationName: 'DataGrip' });
  const session = await analyst.connect();
  await session.query('begin; select from bi.fresh');
  const { left } = await installAgain();
  expect(left[0]).toEqual({
    view: 'bi.fresh',
    because: expect.stringMatching(/^it is in use by pid \d+ \(role \S+, DataGrip, since /),
  });
  await session.query('rollback');
  session.release();
  await analyst.end();
  expect((await installAgain()).left).toEqual([]);
});

test('rights given by hand on a view, or on a column of it, are given again when it is made anew', async () => {
  await moveColumns();
  const role = `hand_${process.pid}`;
  const may = (column: string) =>
    value(`select has_column_privilege('${role}', 'bi.fresh', '${column}', 'select')`);
  await database.pool.query(`create role ${role}; grant select (a) on bi.fresh to ${role}`);
  await database.pool.query('grant select on bi.fresh to public');
  try {
    await installAgain();
    expect(await value(`select relacl::text from pg_class where oid = 'bi.fresh'::regclass`)).toMatch(
      /[{,]=r\//,
    );
    await database.pool.query('revoke select on bi.fresh from public');
    expect([await may('a'), await may('b')]).toEqual(['true', 'false']);
  } finally {
    await database.pool.query(`drop owned by ${role}; drop role ${role}`);
  }
});

test('a view that somebody made in the place of ours is left alone, with the lines that give it back', async () => {
  await moveColumns();
  await database.pool.query('drop view bi.fresh; create view bi.fresh as select 7 as mine');
  const { left } = await installAgain();
  expect(left[0]?.because).toMatch(
    /does not have the mark of airank.*comment on view bi\.fresh is '\(airank\)'; if it is yours.*alter view bi\.fresh rename to/,
  );
  expect(await value('select mine from bi.fresh')).toBe('7');
  await database.pool.query(`comment on view bi.fresh is '(airank)'`);
  expect((await installAgain()).left).toEqual([]);
});

test('a function that somebody made in the place of ours ends the installation, with the lines that give it back', async () => {
  await database.pool.query(`
    create or replace function sync.method_name(method text) returns text language sql immutable parallel safe return 'mine';
    comment on function sync.method_name is 'Mine.'`);
  await methodName();
  await expect(install()).rejects.toThrow(
    /^sync\.method_name\(\) cannot be replaced: .*comment on function sync\.method_name\(text\) is '\(airank\)'/,
  );
  expect(await value(`select sync.method_name('x')`)).toBe('mine');
});

test('the view of a deleted file is dropped, and stays while something of yours is built on it', async () => {
  await writeView('  1 as a -- A.');
  await install();
  await rm(folder('bi', 'fresh.sql'));
  await database.rows('create view public.mine as select a from bi.fresh');
  expect(await installAgain()).toMatchObject({
    dropped: [],
    left: [{ view: 'bi.fresh', because: expect.stringMatching(/view mine depends on view bi\.fresh/) }],
  });
  expect(await value('select a from public.mine')).toBe('1');
  await database.rows('drop view public.mine');
  expect(await installAgain()).toEqual({ installed: [], dropped: ['bi.fresh'], left: [] });
  expect((await findCodeChanges(database.db, await readCodeFiles(folder()))).vanished).toEqual([]);
});

test.each([
  [
    'a syntax error',
    'create function sync.broken( returns',
    /^sql\/code\/sync\/broken\.sql cannot be installed: syntax error/,
  ],
  [
    'another name',
    'create function sync.other() returns integer language sql return 1',
    /broken\.sql cannot be installed: it makes 0 functions sync\.broken/,
  ],
  [
    'two functions',
    'create function sync.broken() returns integer language sql return 1; create function sync.broken(a integer) returns integer language sql return 1',
    /broken\.sql cannot be installed: it makes 2 functions/,
  ],
])('a file with %s is named, and nothing is changed', async (_what, text, message) => {
  // Installed before it, and rolled back with it.
  await writeFunction('as_numeric', '(value jsonb) returns numeric', 'return 1');
  await write('broken', text);
  await expectNothingChanged(message);
  expect(await value(`select sync.as_numeric('2')`)).toBe('2');
});

test('functions are installed after those that they call, whatever the names of the files', async () => {
  await writeFunction('aaa', '() returns integer', 'return sync.zzz(); -- sync.bbb()');
  await writeFunction('bbb', '() returns integer', 'return sync.aaa()');
  await writeFunction('zzz', '() returns integer', 'return 1');
  await install();
  expect(await value('select sync.bbb()')).toBe('1');
});
