// Checks what the warehouse shows of clients when records do not say whose they are.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withoutClientField } from '../support/sandbox-requests.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import type { TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createSandboxWarehouse({ from: '2026-03-06', days: 2, sandbox: withoutClientField });
}, 120_000);
afterAll(async () => {
  await database.drop();
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
