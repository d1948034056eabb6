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
with names as (
  select client_key, case
    when client_name is null then client_key
    when count(*) over (partition by client_name) > 1 then client_name || ' (' || client_key || ')'
    else client_name
  end as name
  from bi.clients
)
select coalesce(name, client_key) || ', ' || method || ': ' || dimension as series, score
from (
  select distinct on (client_key, method, dimension) client_key, method, dimension, method_score as score
  from bi.rank_dimensions
  where client_id = any (array(select client_id from bi.clients where {{client}}))
    and client_key = any (array(select client_key from bi.clients where {{client}}))
  order by client_key, method, dimension, date desc
) as newest
left join names using (client_key)
order by series
