/*
row: a domain, as it is now
question: Which domains do engines rely on?
also: client, run_date
  domain: The domain. <- sources.domain
  source_type: Type as the API words it. <- sources.kind
  authority_score: Authority that the API states, 0 to 100. <- sources.authority
  citation_count: Number of citations of the domain. <- sources.citations
  rival_citation_count: Number of citations in favour of rivals. <- sources.rival_citations
  rivals: Rivals that it mentions, separated by commas. <- sources.rivals
*/
create or replace view bi.sources as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.domain,
  x.kind as source_type,
  x.authority as authority_score,
  x.citations as citation_count,
  x.rival_citations as rival_citation_count,
  x.rivals,
  x.run_date
from bi_map.sources as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
