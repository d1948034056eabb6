/*
name: Revenue by channel
about: Revenue, orders and sessions as they are now. Currencies are rows of their own and never added up.
page: business
place: 1
size: 12x8
display: table
tags: { client: bi.clients.client_key }
settings: {}
*/
select client_name, currency_code, channel, revenue_amount, order_count, session_count, provenance
from bi.revenue
where {{client}}
order by client_name, currency_code, revenue_amount desc nulls last, channel
