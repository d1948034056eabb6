-- Grain: one row a product, as it is now.
-- How do products do in the answers of engines?
create or replace view bi.product_performance as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
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
  x.run_date
from bi_map.products as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.product_performance is
  'Grain: one row a product, as it is now. How do products do in the answers of engines?';
comment on column bi.product_performance.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.product_performance.account is 'Account that the data was read with.';
comment on column bi.product_performance.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.product_performance.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.product_performance.product_id is 'Identifier of the product, every digit as the API sent it.';
comment on column bi.product_performance.sku is 'SKU.';
comment on column bi.product_performance.title is 'Name of the product.';
comment on column bi.product_performance.product_url is 'Page of the product.';
comment on column bi.product_performance.price_amount is 'Price in the catalogue, in its currency.';
comment on column bi.product_performance.currency_code is 'Currency of both prices.';
comment on column bi.product_performance.ai_price_amount is 'Price that engines state, in the same currency.';
comment on column bi.product_performance.is_measured is 'Whether the product is measured.';
comment on column bi.product_performance.presence_rate is 'Share of the answers with the product, 0 to 1.';
comment on column bi.product_performance.win_rate is 'Share of the answers that recommend it, 0 to 1.';
comment on column bi.product_performance.updated_date is 'When the API changed it last.';
comment on column bi.product_performance.run_date is 'Run date that the row is of: the newest complete one.';
