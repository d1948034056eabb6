/*
name: Answers that name the brand
about: Share of answers that name the brand, by engine and month.
page: questions
place: 1
size: 12x8
display: line
tags: { client: bi.clients.client_key, period: bi.answers.answered_date }
settings:
  graph.dimensions: [month, engine]
  graph.metrics: [mention_rate]
  graph.y_axis.title_text: Share of answers
  graph.x_axis.title_text: Month
  column_settings: { '["name","mention_rate"]': { number_style: percent } }
*/
select date_trunc('month', answered_date)::date as month, engine,
  round(count(*) filter (where is_mentioned)::numeric / nullif(count(is_mentioned), 0), 4) as mention_rate
from bi.answers
where {{client}}
  and {{period}}
group by month, engine
order by month, engine
