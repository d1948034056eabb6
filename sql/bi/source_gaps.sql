/*
row: a domain that cites rivals more than the client, as it is now
question: Which sources cite rivals more than the client, and is there an opportunity?
also: client, run_date
  domain: The domain. <- sources.domain
  citation_count: Number of citations of the domain. <- sources.citations
  rival_citation_count: Number of citations in favour of rivals. <- sources.rival_citations
  gap_count: Number of citations that rivals have more, 1 or more. <- sources.rival_citations and sources.citations
  stated_gap: Gap that the API states, on its own scale. <- sources.gap
  opportunity_type: Opportunity as the API words it. <- sources.opportunity_kind
  opportunity_reason: Its reason. <- sources.opportunity_reason
  rivals: Rivals that it mentions, separated by commas. <- sources.rivals
*/
create or replace view bi.source_gaps as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.domain,
  x.citations as citation_count,
  x.rival_citations as rival_citation_count,
  x.rival_citations - x.citations as gap_count,
  x.gap as stated_gap,
  x.opportunity_kind as opportunity_type,
  x.opportunity_reason,
  x.rivals,
  x.run_date
from bi_map.sources as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where case when x.citations is null or x.rival_citations is null then x.gap > 0 else x.rival_citations > x.citations end and c.left_on is null;
