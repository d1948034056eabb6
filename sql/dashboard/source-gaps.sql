-- Domains that cite rivals more than the client, as they are now.
select g.domain, g.gap_count, g.citation_count, g.rival_citation_count, g.stated_gap, g.opportunity_type,
  g.opportunity_reason, g.rivals, g.run_date
from bi.sources as g
where g.is_gap and g.account = :account and g.client_id = :client_id
order by g.gap_count desc nulls last, g.stated_gap desc nulls last, g.domain
limit 500
