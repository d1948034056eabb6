-- Domains that engines rely on, those first that cite rivals more often than the client, and of them those that never
-- cite it: where to get in.
select s.domain, s.source_type, s.authority_score, s.citation_count, s.rival_citation_count, s.gap_count, s.is_gap, s.rivals,
  s.opportunity_type, s.opportunity_reason, s.window_days, s.run_date, count(*) over () as domain_count,
  count(s.is_gap) over () as judged_domain_count, count(*) filter (where s.is_gap) over () as gap_domain_count,
  count(*) filter (where s.is_gap and s.citation_count = 0) over () as never_domain_count
from bi.sources as s
where s.account = :account and s.client_id = :client_id
order by s.is_gap desc nulls last, (s.is_gap and s.citation_count = 0) desc nulls last, s.gap_count desc nulls last, s.stated_gap desc nulls last, s.citation_count desc nulls last, s.domain
limit 500
