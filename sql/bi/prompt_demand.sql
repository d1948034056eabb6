-- row: a question and demand type, as it is now
-- question: How much demand is there for a question? Values of different demand types must not be mixed, and a missing value is not zero.
-- group: answers
-- history: demand
create or replace view bi.prompt_demand as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.id as prompt_id, -- Identifier of the question. <- demand.id
  x.question, -- The question in its canonical form. <- demand.question
  x.cluster as cluster_id, -- Cluster of the question: its identifier where the API gives one, else its name. <- demand.cluster
  case lower(x.demand_type)
    when 'observada' then 'observed' when 'relativa' then 'relative'
    when 'estimada' then 'estimated' else x.demand_type
  end as demand_type, -- observed, relative, estimated or proxy: each a measure of its own. <- demand.demand_type
  case when not sync.is_not_available(x.value_status) then x.value end as demand_value, -- Value in the unit of its type, 0 or more; empty where not available. <- demand.value
  x.unit as demand_unit, -- Unit as the API words it. <- demand.unit
  case
    when sync.is_not_available(x.value_status) then 'not_available'
    when x.value is not null then 'available'
    when sync.is_not_available(x.value_text) then 'not_available'
    else coalesce(x.value_text, x.value_status, 'unknown')
  end as demand_status, -- available, not_available, unknown, or what the API says in the value's place. <- demand.value_status or demand.value or demand.value_text
  x.trend, -- Trend as the API words it. <- demand.trend
  x.run_date,
  x.as_of as as_of_date -- Date that the API says the figures are of or were read on. <- demand.as_of
from bi_map.demand as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
