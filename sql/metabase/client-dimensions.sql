/*
name: What the AI Rank is made of
about: Score of each dimension at its newest date, 0 to 100.
page: client
place: 3
size: 8x8
display: row
tags: { client: bi.clients.client_key }
settings:
  graph.dimensions: [series]
  graph.metrics: [score]
  graph.y_axis.title_text: Score, 0 to 100
*/
select coalesce(client_name, client_key) || ', ' || method || ': ' || dimension as series, score
from (
  select distinct on (client_key, method, dimension) client_key, client_name, method, dimension, method_score as score
  from bi.rank_dimensions
  where {{client}}
  order by client_key, method, dimension, date desc
) as newest
order by series
