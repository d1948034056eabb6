/*
name: Share of competitors
about: Share of answers that name each brand, and of all mentions those of it, as it is now; the own brand among its rivals.
page: competition
place: 1
size: 12x8
display: table
tags: { client: bi.clients.client_key }
settings:
  column_settings: { '["name","share_rate"]': { number_style: percent }, '["name","share_of_voice_rate"]': { number_style: percent } }
*/
select client_name, competitor_class, competitor_name, is_own, share_rate, share_of_voice_rate, mentions_per_100_answers, movement
from bi.share_of_voice
where {{client}}
order by client_name, share_rate desc nulls last, competitor_name
