/*
name: Change of the AI Rank in 28 days
about: Points by which the AI Rank rose or fell in 28 days, comparable points of one method only.
page: portfolio
place: 2
size: 10x8
display: row
tags: { account: bi.rank_latest.account }
settings:
  graph.dimensions: [client]
  graph.metrics: [change_28d]
  graph.y_axis.title_text: Points
*/
with {{names}}
select coalesce(name, client_key) as client, change_28d
from bi.rank_latest
left join names using (client_key)
where {{account}} and change_28d is not null
order by change_28d desc, client
