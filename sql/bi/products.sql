-- row: a product, as it is now
-- question: How do products do in the answers of engines?
-- group: business
-- line: how products do in the answers
-- history: products
create or replace view bi.products as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  coalesce(x.id, x.record_key) as product_id, -- Identifier of the product, every digit as the API sent it. <- products.id or data
  x.sku, -- SKU. <- products.sku
  x.title, -- Name of the product. <- products.title
  x.url as product_url, -- Page of the product. <- products.url
  x.price as price_amount, -- Price in the catalogue, in its currency. [mean] <- products.price
  x.currency as currency_code, -- Currency of both prices. <- products.currency
  x.ai_price as ai_price_amount, -- Price that engines state, in the same currency. [mean] <- products.ai_price
  x.is_measured, -- Whether the product is measured. <- products.is_measured
  sync.rate_within(x.presence) as presence_rate, -- Share of the answers with the product, 0 to 1. <- products.presence
  sync.rate_within(x.win) as win_rate, -- Share that recommend it, 0 to 1, as the API states it: of which answers it does not say. <- products.win
  x.updated as updated_date, -- When the API changed it last. <- products.updated
  x.run_date
from bi_map.products as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
