// What the columns of views are made from, as Postgres stores their queries.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type Executor } from '../../src/warehouse/connection/database.ts';
import { logicalSources } from '../../src/warehouse/logical/logical-sources.ts';
import { derivedTables } from '../../src/warehouse/tables/derived.ts';
import { readViewOrigins, type ViewOrigins } from '../../src/warehouse/views/column-origins.ts';
import { fieldsOf, type Origin } from '../../src/warehouse/views/origin.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
});

afterAll(async () => {
  await database.drop();
});

async function originsOf(query: string): Promise<Record<string, string>> {
  await database.pool.query(`create view bi.of_this_test as ${query}`);
  try {
    const { columns } = await viewNamed('of_this_test');
    return Object.fromEntries(columns.map(({ column, origin }) => [column, textOf(origin)]));
  } finally {
    await database.pool.query('drop view bi.of_this_test');
  }
}

async function viewNamed(name: string): Promise<ViewOrigins> {
  const found = (await readViewOrigins(db)).find(({ view }) => view === name);
  if (found === undefined) throw new Error(`no view ${name}`);
  return found;
}

function textOf(origin: Origin): string {
  if (origin.kind === 'known') return '#';
  if (origin.kind === 'field') return `${origin.source}.${origin.field}`;
  return `${origin.kind}(${origin.of.map(textOf).join(' ')})`;
}

test('fields, keys, constants and calculations are told apart', async () => {
  expect(
    await originsOf(`
      select x.title, x.record_key, 'text' as constant, x.price - x.ai_price as difference,
        coalesce(x.id, x.record_key) as product_id, sync.is_one_off(x.title, x.sku) as is_one_off,
        case when x.price > 1 then x.sku else x.url end as either, case when x.presence > 0 then 'seen' end as seen,
        (array[x.title, 'b'])[1] as element, x.price is null and x.win > 1 as both, greatest(x.price, x.win) as most
      from bi_map.products as x where x.currency = 'EUR'`),
  ).toEqual({
    title: 'products.title',
    record_key: '#',
    constant: 'all()',
    difference: 'all(products.price products.ai_price)',
    product_id: 'any(products.id #)',
    is_one_off: 'any(products.title products.sku)',
    either: 'any(products.sku products.url)',
    seen: 'products.presence',
    element: 'products.title',
    both: 'all(products.price products.win)',
    most: 'any(products.price products.win)',
  });
});

test('columns are followed through unions, subqueries, queries with a name, joins, groups and functions', async () => {
  expect(
    await originsOf(
      `
      with recursive walk as (
        select sku, 1 as depth from bi_map.products_daily
        union all select s.sku, s.depth + 1 from walk as s where s.depth < 2
      )
      select s.sku, u.name, g.newest, j.title, k.key, (select o.url from bi_map.optimizer as o where o.id = s.sku) as url
      from walk as s
      cross join (select title as name from bi_map.products union all select null union all select name from bi_map.competitors) as u
      join (select kind, max(status) as newest from bi_map.actions group by kind) as g on g.kind = s.sku
      join (bi_map.products as p join bi_map.optimizer as o on o.id = p.id) as j (account) on true
      cross join lateral (select * from bi_map.research limit 1) as r
      cross join lateral jsonb_each(to_jsonb(r.candidate)) as k`,
    ),
  ).toEqual({
    sku: 'products.sku',
    name: 'each(products.title competitors.name)',
    newest: 'actions.status',
    title: 'products.title',
    key: 'research.candidate',
    url: 'optimizer.url',
  });
});

test('every column of every curated view is read, and most of them from fields', async () => {
  const views = await readViewOrigins(db);
  const columns = views.flatMap((view) => view.columns);
  const { rows } = await database.pool.query(
    `select 1 from pg_attribute as a join pg_class as c on c.oid = a.attrelid
     where c.relnamespace = 'bi'::regnamespace and c.relkind = 'v' and a.attnum > 0`,
  );
  expect(columns.length).toBe(rows.length);
  const read = new Set(columns.flatMap(({ origin }) => fieldsOf(origin)).map(({ source }) => source));
  // Each source is there for some view.
  expect(logicalSources.map(({ name }) => name).filter((name) => !read.has(name))).toEqual([]);
});

test('derived tables are made from the fields that they name', async () => {
  for (const { table, source, columns, reads, definition } of derivedTables) {
    await database.pool.query(
      `create view bi.of_this_test (${columns.join(', ')}) as ${definition(`bi_map.${source}_version`, 'true')}`,
    );
    const origins = await viewNamed('of_this_test');
    await database.pool.query('drop view bi.of_this_test');
    for (const { column, origin } of origins.columns) {
      const found = fieldsOf(origin).map(({ field }) => field);
      expect(found, `${table}.${column} of ${source}`).toEqual(
        expect.arrayContaining([...(reads[column] ?? [])]),
      );
      const isField = origin.kind === 'field';
      if (isField) expect(reads[column], `${table}.${column} of ${source}`).toEqual(found);
    }
  }
});
