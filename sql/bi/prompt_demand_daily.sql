-- Grain: one row a question, demand type and run date.
-- How much demand is there for a question? Values of different demand types must not be mixed, and a missing value is not zero.
create or replace view bi.prompt_demand_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.id as prompt_id,
  x.question,
  x.cluster as cluster_id,
  case lower(x.demand_type)
    when 'observada' then 'observed' when 'relativa' then 'relative'
    when 'estimada' then 'estimated' else x.demand_type
  end as demand_type,
  case when not sync.is_not_available(x.value_status) then x.value end as demand_value,
  x.unit as demand_unit,
  case
    when sync.is_not_available(x.value_status) then 'not_available'
    when x.value is not null then 'available'
    when sync.is_not_available(x.value_text) then 'not_available'
    else coalesce(x.value_text, x.value_status, 'unknown')
  end as demand_status,
  x.trend,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.demand_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.prompt_demand_daily is
  'Grain: one row a question, demand type and run date. How much demand is there for a question? Values of different demand types must not be mixed, and a missing value is not zero.';
comment on column bi.prompt_demand_daily.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.prompt_demand_daily.account is 'Account that the data was read with.';
comment on column bi.prompt_demand_daily.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.prompt_demand_daily.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.prompt_demand_daily.run_date is 'Run date: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.prompt_demand_daily.prompt_id is 'Identifier of the question.';
comment on column bi.prompt_demand_daily.question is 'The question in its canonical form.';
comment on column bi.prompt_demand_daily.cluster_id is 'Cluster of the question as the API words it.';
comment on column bi.prompt_demand_daily.demand_type is 'observed, relative, estimated or proxy: each a measure of its own.';
comment on column bi.prompt_demand_daily.demand_value is 'Value in the unit of its type, 0 or more; empty where not available.';
comment on column bi.prompt_demand_daily.demand_unit is 'Unit as the API words it.';
comment on column bi.prompt_demand_daily.demand_status is 'available, not_available, unknown, or what the API says in the value''s place.';
comment on column bi.prompt_demand_daily.trend is 'Trend as the API words it.';
comment on column bi.prompt_demand_daily.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
