/*
name: AI Rank over time
about: AI Rank by date. v1 and v2 are different methods, and lines of their own. Points that cannot be compared are left out.
page: client
place: 2
size: 16x8
display: line
tags: { client: bi.clients.client_key, period: bi.rank_trend.date }
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
where {{client}}
  and {{period}}
order by date, series
