// Every question of sql/metabase against a synced warehouse, as the role for BI tools runs it.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dashboards } from '../../src/reporting/metabase/dashboards.ts';
import { type Question, readMetabaseQuestions, type Tag } from '../../src/reporting/metabase/question.ts';
import { useBiRole } from '../support/bi-role.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { useDatabase } from '../support/test-database.ts';

const questions = await readMetabaseQuestions();
const database = useDatabase(() => createSandboxWarehouse({ from: '2026-03-01', days: 8 }));
const role = useBiRole(database);
let reader: pg.Client;
let client: string;

beforeAll(async () => {
  reader = new pg.Client({ connectionString: role.url });
  await reader.connect();
  const { rows } = await reader.query<{ client_key: string }>(
    'select client_key from bi.clients where not is_account order by client_key limit 1',
  );
  client = rows[0]?.client_key ?? '';
  await database.pool.query(
    `insert into sync.alert (account, client_id, rule, subject, alert_date, severity, title, lasts, is_silent)
     select account, client_id, 'rank_fell', 'v2', '2026-03-02', 'warning', 'AI Rank fell', true, false
     from bi.clients where not is_account`,
  );
  await database.pool.query(
    `insert into sync.crawler_visit values ('default', '', 'GPTBot', '2026-03-02', 200, 7)`,
  );
}, 120_000);

afterAll(() => reader.end());

type Chosen = Partial<Record<'client' | 'account' | 'period' | 'currency', string>>;

/** The SQL as Metabase sends it: a condition on the tag's column, `1 = 1` where nothing is chosen, or a text. */
function filledIn({ sql, tags }: Question, chosen: Chosen): string {
  return sql.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const tag = tags.find((one) => one.name === name);
    if (tag === undefined) throw new Error(name);
    const value = chosen[name as keyof Chosen];
    if (tag.kind === 'text') return pg.escapeLiteral(value ?? tag.default);
    return value === undefined ? '1 = 1' : condition(tag, name, value);
  });
}

function condition(tag: Tag & { kind: 'field' }, name: string, value: string): string {
  const column = [...tag.view.split('.'), tag.column].map((part) => pg.escapeIdentifier(part)).join('.');
  const [from = '', to = ''] = value.split('~');
  if (name !== 'period') return `(${column} = ${pg.escapeLiteral(value)})`;
  return `${column} between date ${pg.escapeLiteral(from)} and date ${pg.escapeLiteral(to)}`;
}

describe.each(questions.map((question) => [question.key, question] as const))('%s', (_, question) => {
  it('runs without a choice, and gives rows with the columns that its chart names', async () => {
    const { rows, fields } = await reader.query(filledIn(question, {}));
    expect(rows.length).toBeGreaterThan(0);
    const columns = fields.map(({ name }) => name);
    const named = ['graph.dimensions', 'graph.metrics', 'scatter.bubble'].flatMap(
      (name) => question.settings[name] ?? [],
    );
    expect(columns).toEqual(expect.arrayContaining(named));
    const formatted = Object.keys(question.settings['column_settings'] ?? {});
    expect(columns).toEqual(expect.arrayContaining(formatted.map((key) => JSON.parse(key)[1])));
    expect(new Set(columns).size).toBe(columns.length);
  });

  it('shows a client alone, and one account alone, when that is chosen', async () => {
    const all = await reader.query(filledIn(question, {}));
    const { rows: names } = await reader.query('select client_name from bi.clients where client_key = $1', [
      client,
    ]);
    const own = await reader.query(filledIn(question, { client, account: 'default' }));
    const isOfClients = question.tags.some(({ name }) => name === 'client');
    if (isOfClients) expect(own.rows).not.toEqual(all.rows);
    else expect(own.rows).toEqual(all.rows);
    const others = own.rows.filter(
      (row) => 'client_name' in row && row['client_name'] !== names[0]?.client_name,
    );
    if (isOfClients) expect(others).toEqual([]);
    const none = await reader.query(filledIn(question, { client: 'default/nobody', account: 'nobody' }));
    expect(none.rows).toEqual([]);
  });

  it('shows only dates of the period, where it has one', async () => {
    const { rows } = await reader.query(filledIn(question, { period: '1990-01-01~1990-12-31' }));
    const dated = question.tags.find(({ name }) => name === 'period');
    if (dated === undefined) expect(rows.length).toBeGreaterThan(0);
    else if (!question.sql.includes('is null)')) expect(rows).toEqual([]);
    else expect(rows.filter((row) => Object.values(row).some((value) => value instanceof Date))).toEqual([]);
  });
});

type Row = Readonly<Record<string, unknown>>;

/** The rows of a question where these columns of a view hold something else. */
async function askedWith(
  view: string,
  columns: Readonly<Record<string, string>>,
  key: string,
): Promise<Row[]> {
  const question = questions.find((one) => one.key === key);
  if (question === undefined) throw new Error(key);
  const owner = await database.pool.connect();
  try {
    await owner.query('begin');
    const { rows } = await owner.query<{ text: string }>('select pg_get_viewdef($1::regclass) as text', [
      view,
    ]);
    const { fields } = await owner.query(`select * from ${view} limit 0`);
    const list = fields.map(({ name }) => `${columns[name] ?? name} as ${name}`).join(', ');
    const inner = rows[0]?.text.replace(/;\s*$/, '') ?? '';
    await owner.query(`create or replace view ${view} as select ${list} from (${inner}) as now`);
    return (await owner.query<Row>(filledIn(question, {}))).rows;
  } finally {
    await owner.query('rollback');
    owner.release();
  }
}

describe.each([
  'portfolio-trend',
  'portfolio-changes',
  'client-rank-trend',
  'client-dimensions',
  'competition-trend',
  'business-revenue-trend',
])('%s', (key) => {
  const seriesOf = (rows: readonly Row[]) => rows.map((row) => row['series'] ?? row['client']);
  const asItIs = () => askedWith('bi_map.client', {}, key);

  it('has as many series where no client has a name', async () => {
    const series = new Set(seriesOf(await asItIs()));
    const nameless = seriesOf(await askedWith('bi_map.client', { client_name: 'null::text' }, key));
    expect(new Set(nameless).size).toBe(series.size);
    for (const name of nameless) expect(name).toMatch(/^default\//);
  });

  it('shows the name alone where it is the only one of it', async () => {
    for (const name of seriesOf(await asItIs())) expect(name).not.toContain('default/');
  });
});

it('shows revenue without a channel, and mentions of a competitor without a name, as such', async () => {
  const revenue = { channel: 'null::text' };
  const rows = await askedWith('bi_history.revenue', revenue, 'business-revenue-trend');
  expect(rows.length).toBeGreaterThan(0);
  for (const { series } of rows) expect(series).toMatch(/: no channel$/);
  const rivals = await askedWith(
    'bi_history.share_of_voice',
    { competitor_name: 'null::text' },
    'competition-trend',
  );
  expect(rivals.length).toBeGreaterThan(0);
  for (const { series } of rivals) expect(series).toMatch(/: no name$/);
});

it('takes no attribute for one of the own brand where the API does not say whose it is', async () => {
  const unknown = { is_own: 'null::boolean' };
  expect(await askedWith('bi.perception_attributes', unknown, 'competition-attributes')).toEqual([]);
});

it('asks by conditions that reach the indexes of clients', () => {
  for (const { key, sql, tags } of questions) {
    if (tags.some(({ name }) => name === 'client')) expect(sql, key).toContain('client_id = any (array(');
  }
});

it('never adds money of different currencies up', () => {
  for (const { key, sql } of questions) expect(sql, key).not.toMatch(/(sum|avg|max|min)\(\w*_amount/);
});

it('has each page of the dashboards, and questions for each', () => {
  const pages = dashboards.flatMap((dashboard) => dashboard.pages.map(({ key }) => key));
  expect(new Set(questions.map(({ page }) => page))).toEqual(new Set(pages));
  for (const page of pages) {
    const places = questions.filter((one) => one.page === page).map(({ place }) => place);
    expect(places, page).toEqual(places.map((_, index) => index + 1));
  }
});
