/*
name: Visits of AI crawlers by day
about: Visits by day and bot, from the access logs that airank push logs sent. They add up over any period.
page: portfolio
place: 6
size: 24x8
display: bar
tags: { account: bi.crawler_visits.account, period: bi.crawler_visits.visit_date }
settings:
  graph.dimensions: [visit_date, bot]
  graph.metrics: [visit_count]
  graph.y_axis.title_text: Visits
  graph.x_axis.title_text: Day (UTC)
  stackable.stack_type: stacked
*/
select visit_date, bot, sum(visit_count) as visit_count
from bi.crawler_visits
where {{account}} and {{period}}
group by visit_date, bot
order by visit_date, bot
