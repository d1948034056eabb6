/*
name: AI Rank of every client
about: AI Rank by date, one line a client and method. Points that cannot be compared are left out.
page: portfolio
place: 3
size: 24x8
display: line
tags: { account: bi.rank_trend.account, period: bi.rank_trend.date }
settings:
  graph.dimensions: [date, series]
  graph.metrics: [score]
  graph.y_axis.title_text: AI Rank, 0 to 100
  graph.x_axis.title_text: Date
  graph.y_axis.auto_range: false
  graph.y_axis.min: 0
  graph.y_axis.max: 100
*/
select date, coalesce(client_name, client_key) || ', ' || method as series, method_score as score
from bi.rank_trend
where {{account}} and {{period}}
order by date, series
