-- Domains that engines rely on, those first that cite rivals more often than the client, and of them those that never
-- cite it: where to get in. Of the account itself with the clients whose rivals a domain mentions.
with source as (
  select * from bi.sources where account = :account and client_id = :client_id
), rival as materialized (
  select distinct v.client_id, coalesce(v.client_name, v.client_id) as client_name, lower(v.competitor_name) as name
  from bi.share_of_voice as v
  where :client_id = '' and v.account = :account and v.client_id <> '' and not v.is_own
)
select s.domain, s.source_type, s.authority_score, s.citation_count, s.rival_citation_count, s.gap_count, s.is_gap, s.rivals,
  (select string_agg(distinct r.client_name, '; ' order by r.client_name) from rival as r
    where r.name = any (string_to_array(lower(s.rivals), ', '))) as rivals_of,
  s.opportunity_type, s.opportunity_reason, s.window_days, s.run_date, count(*) over () as domain_count,
  count(s.is_gap) over () as judged_domain_count, count(*) filter (where s.is_gap) over () as gap_domain_count,
  count(*) filter (where s.is_gap and s.citation_count = 0) over () as never_domain_count
from source as s
order by s.is_gap desc nulls last, (s.is_gap and s.citation_count = 0) desc nulls last, s.gap_count desc nulls last, s.stated_gap desc nulls last, s.citation_count desc nulls last, s.domain
limit 500
