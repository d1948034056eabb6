/*
name: Visits of AI crawlers
about: Visits of each bot by the status they were answered with, as it is now.
page: sources
place: 4
size: 24x8
display: bar
tags: { client: bi.clients.client_key }
settings:
  graph.dimensions: [bot, status]
  graph.metrics: [visit_count]
  graph.y_axis.title_text: Visits
  graph.x_axis.title_text: Bot
  stackable.stack_type: stacked
*/
select bot, status, sum(visit_count) as visit_count
from bi.crawl_health
where client_id = any (array(select client_id from bi.clients where {{client}}))
  and client_key = any (array(select client_key from bi.clients where {{client}}))
group by bot, status
order by visit_count desc nulls last, bot, status
