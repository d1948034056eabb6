/*
name: Mentions of competitors over time
about: Mentions in 100 answers by run date, one line a brand, the own one too.
page: competition
place: 2
size: 12x8
display: line
tags: { client: bi.clients.client_key, period: bi_history.share_of_voice.run_date }
settings:
  graph.dimensions: [run_date, series]
  graph.metrics: [mentions_per_100_answers]
  graph.y_axis.title_text: Mentions in 100 answers
  graph.x_axis.title_text: Date
*/
select run_date, coalesce(client_name, client_key) || ': ' || coalesce(competitor_name, 'no name') as series,
  mentions_per_100_answers
from bi_history.share_of_voice
where {{client}}
  and {{period}} and mentions_per_100_answers is not null
order by run_date, series
