-- row: a domain, as it is now
-- question: Which domains do engines rely on, which cite rivals more than the client, and is there an opportunity?
-- group: sources
-- line: domains they rely on, and whom these cite
-- history: sources
create or replace view bi.sources as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.domain, -- The domain. <- sources.domain
  x.kind as source_type, -- Type as the API words it. <- sources.kind
  x.authority as authority_score, -- Authority that the API states, 0 to 100. <- sources.authority
  x.citations as citation_count, -- Number of citations of the domain. <- sources.citations
  x.rival_citations as rival_citation_count, -- Number of citations in favour of rivals. <- sources.rival_citations
  x.rivals, -- Rivals that it mentions, separated by commas. <- sources.rivals
  x.run_date,
  case when x.citations is null or x.rival_citations is null then x.gap > 0 else x.rival_citations > x.citations end as is_gap, -- Whether it cites rivals more than the client; empty where that is unknown. <- (sources.rival_citations and sources.citations) or sources.gap
  x.rival_citations - x.citations as gap_count, -- Number of citations that rivals have more than the client; below 0 where it has more. <- sources.rival_citations and sources.citations
  x.gap as stated_gap, -- Gap that the API states, on its own scale. [mean] <- sources.gap
  x.opportunity_kind as opportunity_type, -- Opportunity as the API words it. <- sources.opportunity_kind
  x.opportunity_reason, -- Its reason. <- sources.opportunity_reason
  coalesce(sync.days_in(x.period), (select w.days from bi_map.named_window as w where w.source = 'sources' and w.field = 'citations')) as window_days, -- Number of days that the citations are of, as the API words them or the name of the field does; empty where neither says it. <- sources.period
  x.as_of as as_of_date -- Date that the API says the figures are of or were read on. <- sources.as_of
from bi_map.sources as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
