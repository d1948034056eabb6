/*
name: Change of the AI Rank in 28 days
about: Points by which the AI Rank rose or fell in 28 days, comparable points of one method only.
page: portfolio
place: 2
size: 10x8
display: row
tags: { account: bi.portfolio_movers.account }
settings:
  graph.dimensions: [client_name]
  graph.metrics: [change_28d]
  graph.y_axis.title_text: Points
*/
select client_name, change_28d
from bi.portfolio_movers
where {{account}} and change_28d is not null
order by change_28d desc, client_name
