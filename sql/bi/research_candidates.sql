-- row: a candidate of the newest finished prompt research
-- question: Which questions did the latest research find?
-- group: answers
-- newest: last_run_date
create or replace view bi.research_candidates as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.finished as finished_date, -- When the research was finished. <- research.finished
  x.started as started_date, -- When it was started. <- research.started
  coalesce(x.last_run_date, w.run_date) as last_run_date, -- Newest run date on which the API showed it.
  x.research_id, -- Identifier of the research. <- research.research_id
  x.status as research_status, -- Status of the research as the API words it. <- research.status
  x.candidate as question, -- The candidate, normalized. <- research.candidate
  x.intent, -- Intent as the API words it. <- research.intent
  case lower(x.demand_type)
    when 'observada' then 'observed' when 'relativa' then 'relative'
    when 'estimada' then 'estimated' else x.demand_type
  end as demand_type, -- observed, relative, estimated or proxy: each a measure of its own. <- research.demand_type
  case when not sync.is_not_available(x.demand_status) then x.demand end as demand_value, -- Value in the unit of its type, 0 or more; empty where not available. <- research.demand
  case
    when sync.is_not_available(x.demand_status) then 'not_available'
    when x.demand is not null then 'available'
    when sync.is_not_available(x.demand_text) then 'not_available'
    else coalesce(x.demand_text, x.demand_status, 'unknown')
  end as demand_status, -- available, not_available, unknown, or what the API says in the value's place. <- research.demand_status or research.demand or research.demand_text
  x.opportunity as opportunity_score, -- Opportunity that the API states, 0 to 100. <- research.opportunity
  x.source as found_in, -- Where it was found as the API words it. <- research.source
  x.variants as variant_count -- Number of variants of the question. <- research.variants
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
