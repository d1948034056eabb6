-- Products of which both prices are known: the catalogue's and the one that engines state.
select p.title, p.sku, p.currency_code, p.price_amount, p.ai_price_amount,
  round(p.ai_price_amount / nullif(p.price_amount, 0) - 1, 4) as difference_rate, p.presence_rate, p.win_rate, p.product_id,
  p.run_date
from bi.products as p
where p.account = :account and p.client_id = :client_id and p.price_amount is not null and p.ai_price_amount is not null
order by abs(p.ai_price_amount / nullif(p.price_amount, 0) - 1) desc nulls last, p.title, p.product_id
limit 1000
