// History as folders of Parquet: what is written, what is left alone, and what is said about the rest.
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { exportHistory, type HistoryEvent, type HistoryOptions } from '../../src/export/export-history.ts';
import { grantBi } from '../../src/export/grant-bi.ts';
import { type HistoryView, readHistoryViews } from '../../src/export/history-views.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { airank } from '../support/fake-terminal.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;
let folder: string;

const product = (price: number) => ({ id: 1, nombre: 'uno', precio: price, month: 'of the body' });
const publishProduct = (account: string, runDate: string, price: number) =>
  publishRecords(db, { stream: 'products', account, clientId: '7', runDate, records: [product(price)] });

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  await publishProduct('north', '2026-03-30', 1.5);
  await publishProduct('north', '2026-03-31', 2);
  await publishProduct('north', '2026-04-01', 2);
  await publishProduct('south', '2026-04-01', 3);
  for (const [runDate, count] of [
    ['2026-03-31', 1],
    ['2026-04-01', 2],
  ] as const) {
    const records = Array.from({ length: count }, (_, id) => ({
      id,
      fecha: '2026-03-01T10:00:00Z',
      url: 'x',
    }));
    await publishRecords(db, { stream: 'citas', account: 'north', runDate, records });
  }
  await refreshViews(db);
  await database.pool.query(`
    create view bi.odd_daily as select 'north' as account, d::date as run_date, n::numeric
    from (values ('2026-03-01', '1.25'), ('infinity', '2'), ('0044-03-15 BC', '3'), (null, '4')) as v (d, n)`);
});

afterAll(() => database.drop());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airank-history-'));
  return () => rm(folder, { recursive: true, force: true });
});

async function viewsOf(...names: string[]): Promise<HistoryView[]> {
  const { views } = await readHistoryViews(database.pool, new Set(['citas']));
  return views.filter(({ schema, name }) => names.includes(`${schema}.${name}`));
}

async function write(names: readonly string[], more: Partial<HistoryOptions> = {}): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  const options: HistoryOptions = {
    views: await viewsOf(...names),
    folder,
    by: ['account', 'month'],
    months: { from: undefined, to: undefined },
    force: false,
    signal: new AbortController().signal,
    ...more,
  };
  for await (const event of exportHistory(database.pool, options)) events.push(event);
  return events;
}

async function written(names: readonly string[], more: Partial<HistoryOptions> = {}): Promise<string[]> {
  return (await write(names, more)).flatMap((event) => (event.kind === 'file' ? [event.file] : []));
}

async function rowsOf(file: string): Promise<Record<string, unknown>[]> {
  const bytes = await readFile(join(folder, file));
  return await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
}

const daily = 'api.products_daily';
const at = (account: string, month: string) =>
  `api/products_daily/account=${account}/month=${month}/part-0.parquet`;

describe('an export of history', () => {
  it('writes a file for each account and month, whose folders say both', async () => {
    expect(await written([daily])).toEqual([
      at('north', '2026-03'),
      at('north', '2026-04'),
      at('south', '2026-04'),
    ]);
    const rows = await rowsOf(at('north', '2026-03'));
    expect(rows.map((row) => [row['run_date'], row['precio']]).sort()).toEqual([
      [new Date('2026-03-30'), 1.5],
      [new Date('2026-03-31'), 2],
    ]);
    expect(rows[0]).toMatchObject({ client_id: '7', nombre: 'uno', month_: 'of the body' });
    expect(Object.keys(rows[0] ?? {})).not.toContain('account');
    expect(Object.keys(rows[0] ?? {})).not.toContain('month');
  });

  it('by month alone has all accounts in a file, and their names in its rows', async () => {
    const [march = '', april = ''] = await written([daily], { by: ['month'] });
    expect([march, april]).toEqual([
      'api/products_daily/month=2026-03/part-0.parquet',
      'api/products_daily/month=2026-04/part-0.parquet',
    ]);
    expect((await rowsOf(april)).map(({ account }) => account).sort()).toEqual(['north', 'south']);
  });

  it('has the records of an archive once, when they were added', async () => {
    expect(await viewsOf('api.citas_daily')).toEqual([]);
    const files = await written(['api.citas_changes']);
    const rows = await Promise.all(files.map(rowsOf));
    expect(rows.map((one) => one.length)).toEqual([1, 1]);
  });

  it('has rows without a date that a calendar has in a part of their own', async () => {
    const files = await written(['bi.odd_daily']);
    expect(files.map((file) => file.split('/')[3])).toEqual([
      'month=2026-03',
      'month=__HIVE_DEFAULT_PARTITION__',
    ]);
    expect((await rowsOf(files[1] ?? '')).map(({ n }) => n).sort()).toEqual([2, 3, 4]);
  });

  it('of some months leaves the others out, and rows without a date', async () => {
    expect(await written([daily, 'bi.odd_daily'], { months: { from: '2026-04', to: undefined } })).toEqual([
      at('north', '2026-04'),
      at('south', '2026-04'),
    ]);
    expect(await written([daily], { months: { from: undefined, to: '2026-03' } })).toEqual([
      at('north', '2026-03'),
    ]);
  });
});

describe('an export into a folder of an earlier one', () => {
  it('writes what changed and what is new, nothing else, and with force all of it', async () => {
    await written([daily]);
    expect(await written([daily])).toEqual([]);
    await publishProduct('south', '2026-04-02', 4);
    await publishProduct('south', '2026-05-01', 4);
    expect(await written([daily])).toEqual([at('south', '2026-04'), at('south', '2026-05')]);
    expect(await written([daily], { force: true })).toHaveLength(4);
  });

  it('goes on after a kill: what is missing or cut off is written, what the kill left is removed', async () => {
    const [first = '', second = '', third = ''] = await written([daily]);
    await rm(join(folder, first));
    await writeFile(join(folder, `${first}.0123456789ab.part`), 'half of it');
    const { size } = await stat(join(folder, second));
    await writeFile(join(folder, second), (await readFile(join(folder, second))).subarray(0, size - 9));
    expect(await written([daily])).toEqual([first, second]);
    expect(await readdir(dirname(join(folder, first)))).toEqual(['part-0.parquet']);
    expect(await rowsOf(third)).not.toEqual([]);
  });

  it('names files of rows that are gone, not those of other accounts, and lets them be', async () => {
    const [march, april] = ['2026-03', '2026-04'].map(
      (month) => `account=north/month=${month}/part-0.parquet`,
    );
    const rows = `select a as account, d::date as run_date from (values
      ('north', '2026-03-01'), ('north', '2026-04-01'), ('north', '2026-05-01'), ('south', '2026-05-01')) as v (a, d)`;
    await database.pool.query(`create view bi.gone_daily as ${rows}`);
    await write(['bi.gone_daily']);
    await database.pool.query(
      `create or replace view bi.gone_daily as ${rows} where a = 'north' and d = '2026-05-01'`,
    );
    expect(await write(['bi.gone_daily'])).toMatchObject([
      { kind: 'view', written: 0, stale: [march, april] },
    ]);
    const later = await write(['bi.gone_daily'], { months: { from: '2026-04', to: undefined } });
    expect(later).toMatchObject([{ stale: [april] }]);
    expect(await rowsOf(join('bi/gone_daily', march ?? ''))).toHaveLength(1);
    await database.pool.query('drop view bi.gone_daily');
  });

  it('with other parts is refused: its rows would be there twice', async () => {
    await written([daily]);
    await expect(write([daily], { by: ['month'] })).rejects.toThrow(
      /^Expected .*products_daily to be partitioned by month, got account=.*Choose another folder, or --partition-by account,month$/,
    );
  });
});

describe('views of bi', () => {
  it('are history, or what is so now', async () => {
    const { rows } = await database.pool.query<{ name: string; grain: string }>(
      `select c.relnamespace::regnamespace || '.' || c.relname as name, obj_description(c.oid) as grain from pg_class c
       where c.relnamespace::regnamespace::text in ('bi', 'bi_history', 'ops') and c.relkind = 'v'`,
    );
    const { views } = await readHistoryViews(database.pool, new Set());
    const history = new Set(views.map(({ schema, name }) => `${schema}.${name}`));
    const others = rows.filter(({ name, grain }) => !history.has(name) && !/, as it is now\./.test(grain));
    expect(others.map(({ name }) => name).sort()).toEqual([
      'bi.clients',
      'bi.rank_latest',
      'bi.research_candidates',
      'ops.field_catalog',
    ]);
  });
});

describe('airank export --all', () => {
  const run = (args: string, env = {}) =>
    airank(args.split(' '), { cwd: folder, env: { DATABASE_URL: database.url, ...env } });

  it('prints the files that it wrote, and says what failed and what its role may not read', async () => {
    const role = `history_reader_${process.pid}`;
    await grantBi(db, { name: role, api: false, password: 'reader-1', statementTimeoutMs: 20_000 });
    await database.pool.query(
      `create view bi.broken_daily as select account, run_date, 1 / 0 as n from bi.odd_daily`,
    );
    const url = new URL(database.url);
    [url.username, url.password] = [role, 'reader-1'];
    await database.pool.query(
      `update sync.slice set status = 'pruned', completed_at = null where stream = 'citas' and run_date >= '2026-03-31'`,
    );
    const said = await run('export --all --output lake --from 2026-04-17', { AIRANK_READER_URL: url.href });
    await database.pool.query(`drop view bi.broken_daily; drop owned by ${role}; drop role ${role}`);
    expect(said.exitCode).toBe(1);
    expect(said.stdout.split('\n')).toContain(
      'lake/bi_history/products/account=north/month=2026-04/part-0.parquet',
    );
    expect(said.stdout).not.toContain('2026-03');
    expect(said.stderr).toContain('✗ bi.broken_daily failed: division by zero\n');
    expect(said.stderr).toMatch(/^bi_history\.products: 3 files \(\d+ rows, .*\)$/m);
    expect(said.stderr).toMatch(
      /^\d+ views left out, .*\(ops\.request_budget, …\)\. airank grant-bi ROLE --api --ops lets a role read schemas api and ops too$/m,
    );
    expect(said.stderr).toMatch(
      /^Account north: run date 2026-04-01 is pruned in some streams, and missing there$/m,
    );
    expect((await run('views')).stdout).toContain(
      '\nAccount north: 2 run dates from 2026-03-31 to 2026-04-01 are pruned in some streams, and missing there\n',
    );
    expect(said.stderr).toMatch(/^\d+ views: \d+ files written \(.*\), 0 unchanged; 1 view failed\n$/m);
  });
});
