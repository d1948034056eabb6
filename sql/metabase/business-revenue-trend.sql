/*
name: Revenue by run date in one currency
about: "What the API said on each run date, in the currency of the filter alone: currencies are never added up."
page: business
place: 2
size: 12x8
display: line
tags: { client: bi.clients.client_key, period: bi_history.revenue.run_date, currency: text EUR }
settings:
  graph.dimensions: [run_date, series]
  graph.metrics: [revenue_amount]
  graph.y_axis.title_text: Revenue, in the currency of the filter
  graph.x_axis.title_text: Date
*/
select run_date, coalesce(client_name, client_key) || ': ' || coalesce(channel, 'no channel') as series, revenue_amount
from bi_history.revenue
where {{client}}
  and {{period}} and currency_code = {{currency}}
order by run_date, series
