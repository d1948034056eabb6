-- Demand of each question, with how present the brand is in its answers: by identifier, else by the question itself.
select d.question, d.demand_type, d.demand_unit, d.demand_value, d.demand_status, d.trend,
  coalesce(i.presence_rate, q.presence_rate) as presence_rate, coalesce(i.mean_position, q.mean_position) as mean_position,
  d.run_date
from bi.prompt_demand as d
left join (
  select distinct on (p.prompt_id) p.prompt_id, p.presence_rate, p.mean_position
  from bi.prompts as p
  where p.account = :account and p.client_id = :client_id and p.prompt_id is not null
  order by p.prompt_id, p.presence_rate nulls last, p.question
) as i on i.prompt_id = d.prompt_id
left join (
  select distinct on (lower(p.question)) lower(p.question) as question, p.presence_rate, p.mean_position
  from bi.prompts as p
  where p.account = :account and p.client_id = :client_id
  order by lower(p.question), p.presence_rate nulls last
) as q on q.question = lower(d.question) and i.prompt_id is null
where d.account = :account and d.client_id = :client_id
order by d.demand_type nulls last, d.demand_unit nulls last, d.demand_value desc nulls last, d.question, d.prompt_id
limit 1000
