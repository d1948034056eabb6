// Reads what airank views --format dbt-sources prints, as dbt would.
import { tmpdir } from 'node:os';
import { beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { airank } from '../support/fake-terminal.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

interface Table {
  readonly name: string;
  readonly description: string;
  readonly loaded_at_field?: string;
  readonly freshness?: unknown;
  readonly columns: readonly { name: string; description: string; data_type: string; meta?: unknown }[];
}

const database = useDatabase();
const run = (...args: readonly string[]) =>
  airank(['views', '--format', 'dbt-sources', ...args], {
    cwd: tmpdir(),
    env: { DATABASE_URL: database.url },
  });
let printed: readonly (Table & { view: string })[];

beforeAll(async () => {
  const said = await run();
  expect(said).toMatchObject({ exitCode: 0, stderr: '' });
  expect(said.stdout).not.toContain('{{');
  const file: { version: number; sources: { schema: string; tables: Table[] }[] } = parse(said.stdout);
  expect(file.version).toBe(2);
  printed = file.sources.flatMap(({ schema, tables }) =>
    tables.map((one) => ({ ...one, view: `${schema}.${one.name}` })),
  );
});

it('is YAML with every view of bi, each column with its type and description', async () => {
  const said = printed.flatMap((table) => [table, ...table.columns]);
  expect(said.filter(({ description }) => !description)).toEqual([]);
  expect(
    printed.flatMap(({ view, columns }) =>
      columns.map((column) => `${view} ${column.name} ${column.data_type}`),
    ),
  ).toEqual(
    await database.lines(
      `select table_schema || '.' || table_name, column_name, data_type from information_schema.columns
       where table_schema in ('bi', 'bi_history', 'ops') order by table_schema, table_name collate "C", ordinal_position`,
    ),
  );
});

it('is stale where one client of many is behind', async () => {
  const dated = printed.filter(({ loaded_at_field: field }) => field !== undefined);
  expect(dated.map(({ name }) => name)).toEqual(['freshness']);
  const after = { count: expect.any(Number), period: expect.stringMatching(/^(minute|hour|day)$/) };
  expect(dated[0]?.freshness).toEqual({ warn_after: after, error_after: after });
  const newest = () => database.lines(`select max(${dated[0]?.loaded_at_field})::text from bi.freshness`);
  const publish = (clientId: string, runDate: string) =>
    publishRecords(database.db, { stream: 'products', clientId, runDate, records: [{ id: 1 }] });
  for (const clientId of ['a', 'b']) await publish(clientId, '2026-05-01');
  await publish('a', '2026-05-02');
  expect(await newest()).toEqual(['2026-05-01 00:00:00']);
  await publish('b', '2026-05-02');
  expect(await newest()).toEqual(['2026-05-02 00:00:00']);
});

it('says of a column how it aggregates', () => {
  const metaOf = (of: string, column: string) =>
    printed.find(({ view }) => view === of)?.columns.find(({ name }) => name === column)?.meta;
  const visits = { unit: 'count', measure: 'sum(visit_count) filter (where is_latest)' };
  expect(metaOf('bi_history.crawl_health', 'visit_count')).toEqual(visits);
  expect(metaOf('bi.answers', 'engine')).toBeUndefined();
});

it('does not stand beside another form', async () => {
  for (const flag of ['--json', '--api'])
    expect(await run(flag)).toMatchObject({
      exitCode: 2,
      stderr: `--format cannot be used with ${flag}\n`,
    });
});
