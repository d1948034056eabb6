// Records that do not say whose they are belong to the account: no page, link's data or report of a client has them.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PageData } from '../../src/reporting/dashboard/page/page-data.ts';
import { assistantOf } from '../support/ask-mcp.ts';
import { airank } from '../support/fake-terminal.ts';
import { withoutClientField } from '../support/sandbox-requests.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import type { TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let folder: string;
let clientId: string;

beforeAll(async () => {
  database = await createSandboxWarehouse({ from: '2026-03-07', days: 2, sandbox: withoutClientField });
  folder = await mkdtemp(join(tmpdir(), 'airank-account-rows-'));
  const { rows } = await database.pool.query<{ id: string }>(
    'select client_id as id from bi.clients where not is_account order by 1 limit 1',
  );
  clientId = rows[0]?.id ?? '';
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await database.drop();
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
  const { rows } = await database.pool.query<{ text: string }>(
    `select title as text from bi.action_list where client_id = '' union select question from bi.answers where client_id = ''
     union select page_url from bi.citation_changes where client_id = '' union select claim from bi.perception_claims where client_id = ''
     union select competitor_name from bi.share_of_voice where client_id = '' union select question from bi.prompts where client_id = ''`,
  );
  return rows.map(({ text }) => text).filter((text) => text !== null && text.length > 6);
}

it('a dashboard of a client has figures of its slices and its brand, and says what is for the whole account', async () => {
  const html = await fileOf('dashboard', '--client', clientId);
  const blocks = [...html.matchAll(/<script type="application\/json" data-page-data[^>]*>(.*?)<\/script>/g)];
  const pages = blocks.map(([, json]) => JSON.parse(json ?? '') as PageData);
  const filled = pages.flatMap(({ charts }) =>
    Object.entries(charts).flatMap(([name, { rows }]) => (rows.length > 0 ? [name] : [])),
  );
  expect([...new Set(filled)].sort()).toEqual([
    'perception-attributes',
    'perception-claims',
    'product-prices',
    'rank-dimensions',
    'rank-trend',
    'standing',
    'voice',
  ]);
  const states = new Map(
    pages.flatMap(({ charts }) => Object.entries(charts).map(([name, { state }]) => [name, state])),
  );
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

it('claims are a client’s where one client alone bears the name of their brand', async () => {
  const client = await database.pool.connect();
  const found = async () => {
    const { rows } = await client.query<{ id: string; claim: string }>(
      'select client_id as id, claim from bi.perception_claims order by 1, 2',
    );
    return rows;
  };
  try {
    await client.query('begin');
    const { rows: expected } = await client.query<{ id: string; claim: string }>(
      `select coalesce(c.payload->>'id', '') as id, a->>'afirmacion' as claim
       from snapshot.envelope as e
       cross join lateral jsonb_array_elements(e.payload->'afirmaciones') as a
       left join snapshot.clientes as c on c.until = 'infinity' and c.payload->>'nombre' = a->>'marca'
       where e.record_key = 'perception' and e.until = 'infinity' order by 1, 2`,
    );
    expect(new Set(expected.map(({ id }) => id)).size).toBeGreaterThan(2);
    expect(await found()).toEqual(expected);
    await client.query('update typed.clients set name = $1', ['Gemelos']);
    expect(new Set((await found()).map(({ id }) => id))).toEqual(new Set(['']));
  } finally {
    await client.query('rollback');
    client.release();
  }
});

it('rivals are a client’s where it alone bears the name of the brand they compete with, and has no list of its own', async () => {
  const client = await database.pool.connect();
  const owners = async (view: string) =>
    (await client.query<{ id: string }>(`select distinct client_id as id from ${view} order by 1`)).rows.map(
      ({ id }) => id,
    );
  try {
    await client.query('begin');
    for (const table of ['typed.competitors', 'typed.competitor_series']) {
      const brand = `(select upper(name) || ' ' from typed.clients where id = $1 and until = 'infinity')`;
      await client.query(`update ${table} set client_id = '', brand = ${brand}`, [clientId]);
    }
    for (const view of ['bi.share_of_voice', 'bi_history.share_of_voice', 'bi.competitor_series']) {
      expect(await owners(view), view).toEqual([clientId]);
    }
    const one = '(select min(record_key) from typed.competitors)';
    await client.query(`update typed.competitors set client_id = $1 where record_key = ${one}`, [clientId]);
    for (const view of ['bi.share_of_voice', 'bi_history.share_of_voice']) {
      expect(await owners(view), view).toEqual(['', clientId]);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
});

/** Views of what is asked for client by client, and what is known of the clients themselves. */
const byClient = [
  ...[
    'clients',
    // By the names of brands.
    ...['perception_attributes', 'bi_history.perception_attributes', 'perception_claims'],
    ...['share_of_voice', 'bi_history.share_of_voice', 'competitor_series'],
    // Changes of the rank's method.
    'events',
    'rank_daily',
    'rank_trend',
    'rank_latest',
    'rank_dimensions',
    'rank_excluded',
    'rank2_trend',
  ],
  ...['products', 'bi_history.products', 'product_attributes', 'bi_history.product_attributes', 'freshness'],
  ...['bi_history.freshness'],
];

it('shows a record without a client as the account’s, never in a view of a client', async () => {
  const { rows: views } = await database.pool.query<{ view: string }>(
    `select c.relnamespace::regnamespace || '.' || c.relname as view from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_key'
     where c.relnamespace::regnamespace::text in ('bi', 'bi_history', 'ops') order by 1`,
  );
  const ofClients: string[] = [];
  let rowsOfAccount = 0;
  for (const { view } of views) {
    const { rows } = await database.pool.query<{ own: number; account: number }>(
      `select count(*) filter (where client_id <> '')::int as own, count(*) filter (where client_id = '')::int as account
       from ${view}`,
    );
    if ((rows[0]?.own ?? 0) > 0) ofClients.push(view);
    rowsOfAccount += rows[0]?.account ?? 0;
  }
  expect(ofClients).toEqual(byClient.map((view) => (view.includes('.') ? view : `bi.${view}`)).sort());
  const { rows: types } = await database.pool.query(
    `select distinct event_type from bi.events where client_id <> ''`,
  );
  expect(types).toEqual([{ event_type: 'method_change' }]);
  expect(rowsOfAccount).toBeGreaterThan(500);
});
