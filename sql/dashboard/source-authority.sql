-- Domains that engines rely on: the authority that the API states, and citations.
select s.domain, s.source_type, s.authority_score, s.citation_count, s.rival_citation_count, s.rivals, s.run_date
from bi.sources as s
where s.account = :account and s.client_id = :client_id
order by s.citation_count desc nulls last, s.authority_score desc nulls last, s.domain
limit 500
