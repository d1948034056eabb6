// What airank views --format superset prints, against the views as they are.
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { airank } from '../support/fake-terminal.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { unzip } from '../support/unzip.ts';

interface Dataset {
  readonly schema: string;
  readonly table_name: string;
  readonly main_dttm_col: string | null;
  readonly columns: readonly {
    readonly column_name: string;
    readonly description: string;
    readonly is_dttm: boolean;
  }[];
  readonly metrics: readonly {
    readonly metric_name: string;
    readonly expression: string;
    readonly description: string;
  }[];
}

let database: TestDatabase;
let datasets: readonly Dataset[];

beforeAll(async () => {
  database = await createTestDatabase();
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
  const args = [builtProgram, 'views', '--format', 'superset'];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: tmpdir(),
    env,
    encoding: 'buffer',
    maxBuffer: 2 ** 26,
  });
  datasets = [...unzip(stdout)].flatMap(([name, text]) =>
    name.includes('/datasets/') ? [JSON.parse(text) as Dataset] : [],
  );
});
afterAll(async () => {
  await database.drop();
});

it('has every view with every column, each described', async () => {
  const { rows } = await database.pool.query<{ column: string }>(
    `select table_schema || '.' || table_name || '.' || column_name as column from information_schema.columns
     where table_schema in ('bi', 'bi_history')`,
  );
  const printed = datasets.flatMap(({ schema, table_name: view, columns }) =>
    columns.map(({ column_name: column }) => `${schema}.${view}.${column}`),
  );
  expect(printed.sort()).toEqual(rows.map(({ column }) => column).sort());
  expect(datasets.flatMap(({ columns }) => columns.filter(({ description }) => !description))).toEqual([]);
});

it('has measures that Postgres takes, none of them called as a column', async () => {
  for (const { schema, table_name: view, columns, metrics } of datasets) {
    const names = columns.map(({ column_name: name }) => name);
    expect(metrics.map(({ metric_name: name }) => name).filter((name) => names.includes(name))).toEqual([]);
    const list = metrics.map(({ metric_name: name, expression }) => `${expression} as ${name}`).join(', ');
    await expect(
      database.pool.query(`select ${list} from ${schema}.${view}`),
      `${schema}.${view}`,
    ).resolves.toBeDefined();
  }
});

it('measures every number, but what rows are told apart by, or what is in the unit of another column', async () => {
  const { rows } = await database.pool.query<{ column: string }>(
    `select table_schema || '.' || table_name || '.' || column_name as column from information_schema.columns
     where table_schema in ('bi', 'bi_history')
       and data_type in ('smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision', 'boolean')`,
  );
  const measured = new Set(
    datasets.flatMap(({ schema, table_name: view, metrics }) =>
      metrics.map(
        ({ metric_name: name }) =>
          `${schema}.${view}.${name.replace(/^[a-z]+_|_(now|week_end|month_end)$/g, '')}`,
      ),
    ),
  );
  const others = rows.flatMap(({ column }) => (measured.has(column) ? [] : [column]));
  // Of several methods, of points that cannot be compared, of cuts, of places, of ends of intervals and of what is false on
  // earlier dates there is no mean.
  const notMeant =
    /\.(is_latest|is_week_end|is_month_end|cohort_size|percentile|median_score|comparable_brand_count|z|(lower|upper|low|high)_(score|rate)|score_(low|high)|method_score|method_position|mover_position)$|rank_excluded\.score$|bi_history\.freshness\.is_fresh$/;
  expect(
    others.filter((column) => !/_(id|level|days|value|status)$/.test(column) && !notMeant.test(column)),
  ).toEqual([]);
});

it('has a time column that the view has, and in bi_history the run date', () => {
  for (const { schema, main_dttm_col: time, columns } of datasets) {
    const moments = columns.flatMap((column) => (column.is_dttm ? [column.column_name] : []));
    if (schema === 'bi_history') expect(time).toBe('run_date');
    if (time === null) expect(moments).toEqual([]);
    else expect(moments).toContain(time);
  }
});

it('is no text for a terminal, and stands beside no other form', async () => {
  const env = { DATABASE_URL: database.url };
  const run = (args: readonly string[], keys?: string) =>
    airank(['views', '--format', 'superset', ...args], {
      cwd: tmpdir(),
      env,
      ...(keys === undefined ? {} : { keys }),
    });
  expect(await run([], '')).toMatchObject({ exitCode: 2, stdout: '' });
  expect(await run(['--json'])).toMatchObject({ exitCode: 2, stdout: '' });
});
