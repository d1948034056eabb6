-- Grain: one row a candidate of the newest prompt research.
-- Which questions did the latest research find?
create or replace view bi.research_candidates as
select
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.research_id,
  x.status as research_status,
  x.finished as finished_date,
  x.candidate,
  x.intent,
  case lower(x.demand_type)
    when 'observada' then 'observed' when 'relativa' then 'relative'
    when 'estimada' then 'estimated' else x.demand_type
  end as demand_type,
  case when not sync.is_not_available(x.demand_status) then x.demand end as demand_value,
  case
    when sync.is_not_available(x.demand_status) then 'not_available'
    when x.demand is not null then 'available'
    when sync.is_not_available(x.demand_text) then 'not_available'
    else coalesce(x.demand_text, x.demand_status, 'unknown')
  end as demand_status,
  x.opportunity as opportunity_score,
  x.source,
  x.variants as variant_count
from bi_map.research as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.research_candidates is
  'Grain: one row a candidate of the newest prompt research. Which questions did the latest research find?';
comment on column bi.research_candidates.account is 'Account that the data was read with.';
comment on column bi.research_candidates.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.research_candidates.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.research_candidates.run_date is 'The logical day of the data: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.research_candidates.research_id is 'Identifier of the research.';
comment on column bi.research_candidates.research_status is 'Status of the research as the API words it.';
comment on column bi.research_candidates.finished_date is 'When it was finished; empty while it runs.';
comment on column bi.research_candidates.candidate is 'The normalized question.';
comment on column bi.research_candidates.intent is 'Intent as the API words it.';
comment on column bi.research_candidates.demand_type is 'observed, relative, estimated or proxy: each a measure of its own.';
comment on column bi.research_candidates.demand_value is 'Value in the unit of its type; empty where not available.';
comment on column bi.research_candidates.demand_status is 'available, not_available, unknown, or what the API says in the value''s place.';
comment on column bi.research_candidates.opportunity_score is 'Opportunity that the API states.';
comment on column bi.research_candidates.source is 'Source as the API words it.';
comment on column bi.research_candidates.variant_count is 'Variants of the question.';
