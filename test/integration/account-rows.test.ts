// Records that do not say whose they are belong to the account: no page, link's data or report of a client has them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { PageData } from '../../src/reporting/dashboard/page/page-data.ts';
import { assistantOf } from '../support/ask-mcp.ts';
import { airank } from '../support/fake-terminal.ts';
import { withoutClientField } from '../support/sandbox-requests.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase(() =>
  createSandboxWarehouse({ from: '2026-03-07', days: 2, sandbox: withoutClientField }),
);
const folder = oneFolder();
const { lines } = database;
let clientId = '';

beforeAll(async () => {
  [clientId = ''] = await lines('select client_id from bi.clients where not is_account order by 1 limit 1');
});

async function fileOf(...args: string[]): Promise<string> {
  const said = await airank([...args, '--output', 'page.html'], {
    cwd: folder,
    env: { DATABASE_URL: database.url },
  });
  expect(said, said.stderr).toMatchObject({ exitCode: 0 });
  return await readFile(join(folder, 'page.html'), 'utf8');
}

/** Reads the texts of the records that the account is asked for as a whole. */
async function textsOfAccount(): Promise<string[]> {
  const texts = await lines(
    `select title from bi.action_list where client_id = '' union select question from bi.answers where client_id = ''
     union select page_url from bi.citation_changes where client_id = '' union select claim from bi.perception_claims where client_id = ''
     union select competitor_name from bi.share_of_voice where client_id = '' union select question from bi.prompts where client_id = ''`,
  );
  return texts.filter((text) => text.length > 6);
}

it('a dashboard of a client has figures of its slices and its brand, and says what is for the whole account', async () => {
  const html = await fileOf('dashboard', '--client', clientId);
  const blocks = [...html.matchAll(/<script type="application\/json" data-page-data[^>]*>(.*?)<\/script>/g)];
  const pages = blocks.map(([, json]) => JSON.parse(json ?? '') as PageData);
  const charts = pages.flatMap((page) => Object.entries(page.charts));
  const filled = charts.filter(([, { rows }]) => rows.length > 0).map(([name]) => name);
  expect([...new Set(filled)].sort()).toEqual([
    ...['perception-attributes', 'perception-claims', 'product-prices', 'rank-dimensions', 'rank-trend'],
    ...['standing', 'voice'],
  ]);
  const states = new Map(charts.map(([name, { state }]) => [name, state]));
  for (const name of ['questions', 'sources', 'actions']) expect(states.get(name), name).toBe('of_account');
  expect(pages.flatMap(({ markers }) => markers).filter(({ type }) => type === 'action')).toEqual([]);
  const texts = await textsOfAccount();
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter((text) => html.includes(text))).toEqual([]);
});

it('an assistant hears that what does not say whose it is is for the whole account', async () => {
  const assistant = await assistantOf(database, {});
  const said = await assistant.call('read_view', { view: 'bi.sources', client: clientId });
  expect(said.rows).toEqual([]);
  expect(said.notice).toContain('belong to the whole account');
  await assistant.close();
});

it('a report of a client says nothing of the account', async () => {
  const html = await fileOf('report', clientId, '--period', 'week', '--date', '2026-03-04');
  const texts = await textsOfAccount();
  expect(texts.filter((text) => html.includes(text))).toEqual([]);
});

/** Changes what is stored for as long as the work takes. */
async function inTransaction(
  work: (read: (text: string, ...values: string[]) => Promise<string[]>) => Promise<void>,
): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await work(async (text, ...values) => {
      const { rows } = await client.query<string[]>({ text, values, rowMode: 'array' });
      return rows.map((row) => row.join(' '));
    });
  } finally {
    await client.query('rollback');
    client.release();
  }
}

it('claims are a client’s where one client alone bears the name of their brand', async () => {
  await inTransaction(async (read) => {
    const expected = await read(
      `select coalesce(c.payload->>'id', ''), a->>'afirmacion'
       from snapshot.envelope as e
       cross join lateral jsonb_array_elements(e.payload->'afirmaciones') as a
       left join snapshot.clientes as c on c.until = 'infinity' and c.payload->>'nombre' = a->>'marca'
       where e.record_key = 'perception' and e.until = 'infinity' order by 1, 2`,
    );
    expect(new Set(expected.map((line) => line.split(' ')[0])).size).toBeGreaterThan(2);
    expect(await read('select client_id, claim from bi.perception_claims order by 1, 2')).toEqual(expected);
    await read('update sync.client set listed_name = $1', 'Gemelos');
    expect(await read('select distinct client_id from bi.perception_claims')).toEqual(['']);
  });
});

it('rivals are a client’s where it alone bears the name of the brand they compete with, and has no list of its own', async () => {
  await inTransaction(async (read) => {
    const owners = (view: string) => read(`select distinct client_id from ${view} order by 1`);
    for (const table of ['typed.competitors', 'typed.competitor_series']) {
      const brand = `(select upper(name) || ' ' from typed.clients where id = $1 and until = 'infinity')`;
      await read(`update ${table} set client_id = '', brand = ${brand}`, clientId);
    }
    const shares = ['bi.share_of_voice', 'bi_history.share_of_voice'];
    for (const view of [...shares, 'bi.competitor_series'])
      expect(await owners(view), view).toEqual([clientId]);
    const one = '(select min(record_key) from typed.competitors)';
    await read(`update typed.competitors set client_id = $1 where record_key = ${one}`, clientId);
    for (const view of shares) expect(await owners(view), view).toEqual(['', clientId]);
  });
});

/** Views of what is asked for client by client, and what is known of the clients themselves. */
const byClient = [
  // By the names of brands.
  ...['perception_attributes', 'bi_history.perception_attributes', 'perception_claims'],
  ...['share_of_voice', 'bi_history.share_of_voice', 'competitor_series'],
  // Changes of the rank's method.
  'events',
  ...['rank_daily', 'rank_trend', 'rank_latest', 'rank_dimensions', 'rank_excluded', 'rank2_trend'],
  ...['products', 'bi_history.products', 'product_attributes', 'bi_history.product_attributes', 'freshness'],
  ...['bi_history.freshness', 'clients'],
];

it('shows a record without a client as the account’s, never in a view of a client', async () => {
  const views = await lines(
    `select c.relnamespace::regnamespace || '.' || c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_key'
     where c.relnamespace::regnamespace::text in ('bi', 'bi_history', 'ops') order by 1`,
  );
  const ofClients: string[] = [];
  let rowsOfAccount = 0;
  for (const view of views) {
    const [counted] = await database.rows<{ own: number; account: number }>(
      `select count(*) filter (where client_id <> '') as own, count(*) filter (where client_id = '') as account
       from ${view}`,
    );
    if ((counted?.own ?? 0) > 0) ofClients.push(view);
    rowsOfAccount += counted?.account ?? 0;
  }
  expect(ofClients).toEqual(byClient.map((view) => (view.includes('.') ? view : `bi.${view}`)).sort());
  expect(await lines(`select distinct event_type from bi.events where client_id <> ''`)).toEqual([
    'method_change',
  ]);
  expect(rowsOfAccount).toBeGreaterThan(500);
});
