/*
name: Visits of AI crawlers in the API's window
about: Visits of each bot by status, in the newest window that the API counts. Windows of several dates are never added.
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
with counted as (
  -- A row for a whole domain includes the visits of its paths, so that the rows of the paths do not count again.
  select bot, status, visit_count,
    path is null or not bool_or(path is null) over (partition by client_key, bot, domain) as is_counted
  from bi.crawl_health
  where {{client}}
)
select bot, status, sum(visit_count) as visit_count
from counted
where is_counted
group by bot, status
order by visit_count desc nulls last, bot, status
