// Compares what airank views --format superset prints with the views as they are.
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { builtProgram } from '../support/built-program.ts';
import { airank } from '../support/fake-terminal.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';
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

const database = useDatabase();
let datasets: readonly Dataset[];

async function filesOf(...more: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
  const args = [builtProgram, 'views', '--format', 'superset', ...more];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: tmpdir(),
    env,
    encoding: 'buffer',
    maxBuffer: 2 ** 26,
  });
  return unzip(stdout);
}
const datasetsIn = (files: ReadonlyMap<string, string>) =>
  [...files].flatMap(([name, text]) => (name.includes('/datasets/') ? [JSON.parse(text) as Dataset] : []));

beforeAll(async () => {
  datasets = datasetsIn(await filesOf('--history')).map((one) => ({
    ...one,
    table_name: one.schema === 'bi_history' ? one.table_name.replace(/_history$/, '') : one.table_name,
  }));
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

it('has a time column that the view has, and in bi_history the run date', () => {
  for (const { schema, main_dttm_col: time, columns } of datasets) {
    const moments = columns.flatMap((column) => (column.is_dttm ? [column.column_name] : []));
    if (schema === 'bi_history') expect(time).toBe('run_date');
    if (time === null) expect(moments).toEqual([]);
    else expect(moments).toContain(time);
  }
});

it('has the views of bi alone where nobody asks for the history, without columns that nothing fills', async () => {
  const db = database.db;
  const slice = { runDate: '2026-03-01', clientId: 'c1' };
  const records = [{ dominio: 'a.test', citas: 3, ventana: '7d' }];
  await publishRecords(db, { ...slice, stream: 'sources', records, key: [['dominio']] });
  const bots = [
    { bot: 'a', visitas: 1, ventana: '7d' },
    { bot: 'b', visitas: 2, ventana: '28d' },
  ];
  await publishRecords(db, { ...slice, stream: 'crawl', records: bots, key: [['bot']] });
  await refreshViews(db);
  await refreshMapping(db);
  const files = await filesOf();
  const of = datasetsIn(files);
  expect(new Set(of.map(({ schema }) => schema))).toEqual(new Set(['bi']));
  const sources = of.find(({ table_name: name }) => name === 'sources');
  expect(sources?.columns.map(({ column_name: name }) => name)).toEqual([
    ...['client_key', 'account', 'client_id', 'domain', 'citation_count', 'run_date', 'window_days'],
  ]);
  expect(sources?.metrics[0]).toMatchObject({
    metric_name: 'sum_citation_count_7_days',
    expression: 'sum(citation_count) filter (where window_days = 7)',
    description: 'Of 7 days. Adds up.',
  });
  const crawl = of.find(({ table_name: name }) => name === 'crawl_health');
  expect(crawl?.metrics.map(({ metric_name: name }) => name)).toEqual(['row_count']);
  const charts = [...files].filter(([name]) => name.includes('/charts/')).map(([, text]) => JSON.parse(text));
  // Figures over several windows have no measure, and so no chart.
  expect(charts.map(({ slice_name: name }) => name)).not.toContain('Visits of bots');
  expect(charts.map(({ slice_name: name }) => name)).toContain('Citations by domain');
});

it('is no text for a terminal, and stands beside no other form', async () => {
  const env = { DATABASE_URL: database.url };
  const run = (args: string, more = {}) => airank(args.split(' '), { cwd: tmpdir(), env, ...more });
  const refused = { exitCode: 2, stdout: '' };
  expect(await run('views --format superset', { keys: '' })).toMatchObject(refused);
  expect(await run('views --format superset --json')).toMatchObject(refused);
  expect(await run('views --history')).toMatchObject(refused);
});
