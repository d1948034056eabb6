/*
name: Own price against the price AI says
about: Products as they are now, each in its own currency.
page: business
place: 3
size: 24x7
display: table
tags: { client: bi.clients.client_key }
settings:
  column_settings: { '["name","presence_rate"]': { number_style: percent }, '["name","win_rate"]': { number_style: percent } }
*/
select client_name, title, currency_code, price_amount, ai_price_amount, ai_price_amount - price_amount as difference_amount,
  presence_rate, win_rate, updated_date
from bi.products
where {{client}}
order by abs(ai_price_amount - price_amount) / nullif(price_amount, 0) desc nulls last, title
