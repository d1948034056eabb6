/*
row: a domain and run date
question: Which domains do engines rely on?
time: run_date
also: client, is_latest
  run_date: Run date: one row a day with a complete snapshot, other days are gaps.
  domain: The domain. <- sources.domain
  source_type: Type as the API words it. <- sources.kind
  authority_score: Authority that the API states, 0 to 100. <- sources.authority
  citation_count: Number of citations of the domain. <- sources.citations
  rival_citation_count: Number of citations in favour of rivals. <- sources.rival_citations
  rivals: Rivals that it mentions, separated by commas. <- sources.rivals
*/
create or replace view bi.sources_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.domain,
  x.kind as source_type,
  x.authority as authority_score,
  x.citations as citation_count,
  x.rival_citations as rival_citation_count,
  x.rivals,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.sources_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);
