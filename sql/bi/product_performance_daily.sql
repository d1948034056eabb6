-- Grain: one row a product and run date.
-- How do products do in the answers of engines?
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

comment on view bi.product_performance_daily is
  'Grain: one row a product and run date. How do products do in the answers of engines?';
comment on column bi.product_performance_daily.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.product_performance_daily.account is 'Account that the data was read with.';
comment on column bi.product_performance_daily.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.product_performance_daily.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.product_performance_daily.run_date is 'Run date: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.product_performance_daily.product_id is 'Identifier of the product, every digit as the API sent it.';
comment on column bi.product_performance_daily.sku is 'SKU.';
comment on column bi.product_performance_daily.title is 'Name of the product.';
comment on column bi.product_performance_daily.product_url is 'Page of the product.';
comment on column bi.product_performance_daily.price_amount is 'Price in the catalogue, in its currency.';
comment on column bi.product_performance_daily.currency_code is 'Currency of both prices.';
comment on column bi.product_performance_daily.ai_price_amount is 'Price that engines state, in the same currency.';
comment on column bi.product_performance_daily.is_measured is 'Whether the product is measured.';
comment on column bi.product_performance_daily.presence_rate is 'Share of the answers with the product, 0 to 1.';
comment on column bi.product_performance_daily.win_rate is 'Share of the answers that recommend it, 0 to 1.';
comment on column bi.product_performance_daily.updated_date is 'When the API changed it last.';
comment on column bi.product_performance_daily.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
