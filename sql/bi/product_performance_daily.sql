/*
row: a product and run date
question: How do products do in the answers of engines?
time: run_date
also: client, is_latest
  run_date: Run date: one row a day with a complete snapshot, other days are gaps.
  product_id: Identifier of the product, every digit as the API sent it. <- products.id or data
  sku: SKU. <- products.sku
  title: Name of the product. <- products.title
  product_url: Page of the product. <- products.url
  price_amount: Price in the catalogue, in its currency. <- products.price
  currency_code: Currency of both prices. <- products.currency
  ai_price_amount: Price that engines state, in the same currency. <- products.ai_price
  is_measured: Whether the product is measured. <- products.is_measured
  presence_rate: Share of the answers with the product, 0 to 1. <- products.presence
  win_rate: Share of the answers that recommend it, 0 to 1. <- products.win
  updated_date: When the API changed it last. <- products.updated
*/
create or replace view bi.product_performance_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  coalesce(x.id, x.record_key) as product_id,
  x.sku,
  x.title,
  x.url as product_url,
  x.price as price_amount,
  x.currency as currency_code,
  x.ai_price as ai_price_amount,
  x.is_measured,
  sync.rate_within(x.presence) as presence_rate,
  sync.rate_within(x.win) as win_rate,
  x.updated as updated_date,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.products_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);
