-- Grain: one row a candidate of the newest finished prompt research.
-- Which questions did the latest research find?
create or replace view bi.research_candidates as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.finished as finished_date,
  x.started as started_date,
  coalesce(x.last_run_date, w.run_date) as last_run_date,
  x.research_id,
  x.status as research_status,
  x.candidate as question,
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
  x.source as found_in,
  x.variants as variant_count
from (
  select r.*, case when r.until < 'infinity' then r.until - 1 end as last_run_date
  from (
    -- One that is finished for certain before one of which that is unknown; one that is running never.
    select distinct on (account, slice_client_id, client_id) account, slice_client_id, client_id, until, from_date, record_key
    from bi_map.research_version
    where row_no <= 1 and not (finished is null and sync.research_is_running(status))
    order by account, slice_client_id, client_id, finished is null, until desc, from_date desc, record_key
  ) as n
  -- The fence has each one's rows looked up: the planner expects too few of a join.
  cross join lateral (
    select * from bi_map.research_version as v
    where v.account = n.account and v.slice_client_id = n.slice_client_id and v.client_id = n.client_id
      and v.until = n.until and v.from_date = n.from_date and v.record_key = n.record_key
    offset 0
  ) as r
) as x
join sync.newest as w on w.stream = 'prompt_research' and w.account = x.account and w.client_id = x.slice_client_id
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.research_candidates is
  'Grain: one row a candidate of the newest finished prompt research. Which questions did the latest research find?';
comment on column bi.research_candidates.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.research_candidates.account is 'Account that the data was read with.';
comment on column bi.research_candidates.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.research_candidates.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.research_candidates.finished_date is 'When the research was finished.';
comment on column bi.research_candidates.started_date is 'When it was started.';
comment on column bi.research_candidates.last_run_date is 'Newest run date on which the API showed it.';
comment on column bi.research_candidates.research_id is 'Identifier of the research.';
comment on column bi.research_candidates.research_status is 'Status of the research as the API words it.';
comment on column bi.research_candidates.question is 'The candidate, normalized.';
comment on column bi.research_candidates.intent is 'Intent as the API words it.';
comment on column bi.research_candidates.demand_type is 'observed, relative, estimated or proxy: each a measure of its own.';
comment on column bi.research_candidates.demand_value is 'Value in the unit of its type, 0 or more; empty where not available.';
comment on column bi.research_candidates.demand_status is 'available, not_available, unknown, or what the API says in the value''s place.';
comment on column bi.research_candidates.opportunity_score is 'Opportunity that the API states, 0 to 100.';
comment on column bi.research_candidates.found_in is 'Where it was found as the API words it.';
comment on column bi.research_candidates.variant_count is 'Number of variants of the question.';
