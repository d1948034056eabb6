/*
name: Change of the AI Rank in 28 days
about: Points, comparable ones of one method only. Rose and fell are clear, usual is within what the client's AI Rank does by itself, not judged is neither.
page: portfolio
place: 2
size: 10x8
display: row
tags: { account: bi.rank_latest.account }
settings:
  graph.dimensions: [client, verdict]
  graph.metrics: [change_28d]
  graph.y_axis.title_text: Points
*/
select coalesce(client_name, client_key) as client, coalesce(change_28d_direction, 'not judged') as verdict, change_28d
from bi.rank_latest
where {{account}} and change_28d is not null
order by change_28d_is_clear desc nulls last, change_28d desc, client
