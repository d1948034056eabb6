// Reads what airank views --format dbt-sources prints, as dbt would.
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createDatabase } from '../../src/db/database.ts';
import { airank, type Said } from '../support/fake-terminal.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const period = z.strictObject({ count: z.int().min(1), period: z.enum(['minute', 'hour', 'day']) });
const freshness = z.strictObject({ warn_after: period, error_after: period });
const table = z.strictObject({
  name: z.string(),
  description: z.string().min(1),
  loaded_at_field: z.string().optional(),
  freshness: freshness.optional(),
  columns: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string().min(1),
      data_type: z.string().min(1),
      meta: z.strictObject({ unit: z.string(), measure: z.string() }).optional(),
    }),
  ),
});
const source = z.strictObject({
  name: z.string(),
  schema: z.enum(['bi', 'bi_history', 'ops']),
  description: z.string(),
  tables: z.array(table),
});
const file = z.strictObject({ version: z.literal(2), sources: z.array(source) });

let database: TestDatabase;
let said: Said;
const run = (args: readonly string[]) =>
  airank(['views', '--format', 'dbt-sources', ...args], {
    cwd: tmpdir(),
    env: { DATABASE_URL: database.url },
  });

beforeAll(async () => {
  database = await createTestDatabase();
  said = await run([]);
});
afterAll(async () => {
  await database.drop();
});

it('is YAML with every view of bi, each column with its type and description', async () => {
  expect(said).toMatchObject({ exitCode: 0, stderr: '' });
  const tables = file
    .parse(parse(said.stdout))
    .sources.flatMap(({ schema, tables }) =>
      tables.map((one) => ({ ...one, name: `${schema}.${one.name}` })),
    );
  const { rows } = await database.pool.query<{ view: string; column: string; type: string }>(
    `select table_schema || '.' || table_name as view, column_name as column, data_type as type from information_schema.columns
     where table_schema in ('bi', 'bi_history', 'ops') order by table_schema, table_name collate "C", ordinal_position`,
  );
  const printed = tables.flatMap(({ name, columns }) =>
    columns.map((column) => ({ view: name, column: column.name, type: column.data_type })),
  );
  expect(printed).toEqual(rows);
  expect(said.stdout).not.toContain('{{');
});

it('is stale where one client of many is behind', async () => {
  const tables = file.parse(parse(said.stdout)).sources.flatMap(({ tables }) => tables);
  const dated = tables.filter(({ loaded_at_field: field }) => field !== undefined);
  expect(dated.map(({ name }) => name)).toEqual(['freshness']);
  const newest = async () => {
    const { rows } = await database.pool.query<{ at: string }>(
      `select max(${dated[0]?.loaded_at_field})::text as at from bi.freshness`,
    );
    return rows[0]?.at;
  };
  const db = createDatabase(database.pool);
  const publish = (clientId: string, runDate: string) =>
    publishRecords(db, { stream: 'products', clientId, runDate, records: [{ id: 1 }] });
  for (const clientId of ['a', 'b']) await publish(clientId, '2026-05-01');
  await publish('a', '2026-05-02');
  expect(await newest()).toBe('2026-05-01 00:00:00');
  await publish('b', '2026-05-02');
  expect(await newest()).toBe('2026-05-02 00:00:00');
});

it('says of a column how it aggregates', () => {
  const views = file
    .parse(parse(said.stdout))
    .sources.flatMap(({ schema, tables }) =>
      tables.map(({ name, columns }) => [`${schema}.${name}` as string, columns] as const),
    );
  const metaOf = (view: string, column: string) =>
    new Map(views).get(view)?.find(({ name }) => name === column)?.meta;
  expect(metaOf('bi.answers', 'is_mentioned')?.unit).toBe('share 0 to 1');
  expect(metaOf('bi_history.crawl_health', 'visit_count')).toEqual({
    unit: 'count',
    measure: 'sum(visit_count) filter (where is_latest)',
  });
  expect(metaOf('bi.answers', 'engine')).toBeUndefined();
});

it('does not stand beside another form', async () => {
  for (const flag of ['--json', '--api']) {
    expect(await run([flag])).toMatchObject({
      exitCode: 2,
      stderr: `--format cannot be used with ${flag}\n`,
    });
  }
});
