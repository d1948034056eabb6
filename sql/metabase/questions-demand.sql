/*
name: Presence against demand
about: Presence of the brand beside the demand of each question. Demand of different types is not comparable, so each type has rows of its own.
page: questions
place: 2
size: 12x8
display: table
tags: { client: bi.clients.client_key }
settings:
  column_settings: { '["name","presence_rate"]': { number_style: percent } }
*/
select d.client_name, d.demand_type, d.demand_unit, d.question, d.demand_value, p.presence_rate, d.trend, d.demand_status
from (
  select *
  from bi.prompt_demand
  where {{client}}
) as d
left join (
  select client_key, prompt_id, max(presence_rate) as presence_rate
  from bi.prompts
  where {{client}}
  group by client_key, prompt_id
) as p on p.client_key = d.client_key and p.prompt_id = d.prompt_id
order by d.client_name, d.demand_type, d.demand_value desc nulls last, d.question
