-- Grain: one row a product and run date.
-- How do products do in the answers of engines?
create or replace view bi.product_performance as
select
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
  x.presence as presence_rate,
  x.win as win_rate,
  x.updated as updated_date,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.products_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.product_performance is
  'Grain: one row a product and run date. How do products do in the answers of engines?';
comment on column bi.product_performance.account is 'Account that the data was read with.';
comment on column bi.product_performance.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.product_performance.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.product_performance.run_date is 'The logical day of the data: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.product_performance.product_id is 'Identifier of the product, every digit as the API sent it.';
comment on column bi.product_performance.sku is 'SKU.';
comment on column bi.product_performance.title is 'Name of the product.';
comment on column bi.product_performance.product_url is 'Page of the product.';
comment on column bi.product_performance.price_amount is 'Price in the catalogue.';
comment on column bi.product_performance.currency_code is 'Currency of both prices.';
comment on column bi.product_performance.ai_price_amount is 'Price that engines state.';
comment on column bi.product_performance.is_measured is 'Whether the product is measured.';
comment on column bi.product_performance.presence_rate is 'Share of answers with the product, as the API gives it.';
comment on column bi.product_performance.win_rate is 'Share of answers that recommend it, as the API gives it.';
comment on column bi.product_performance.updated_date is 'When the API changed it last.';
comment on column bi.product_performance.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
