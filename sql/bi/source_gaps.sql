-- Grain: one row a domain that cites rivals more than the client, as it is now.
-- Which sources cite rivals more than the client, and is there an opportunity?
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

comment on view bi.source_gaps is
  'Grain: one row a domain that cites rivals more than the client, as it is now. Which sources cite rivals more than the client, and is there an opportunity?';
comment on column bi.source_gaps.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.source_gaps.account is 'Account that the data was read with.';
comment on column bi.source_gaps.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.source_gaps.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.source_gaps.domain is 'The domain.';
comment on column bi.source_gaps.citation_count is 'Number of citations of the domain.';
comment on column bi.source_gaps.rival_citation_count is 'Number of citations in favour of rivals.';
comment on column bi.source_gaps.gap_count is 'Number of citations that rivals have more, 1 or more.';
comment on column bi.source_gaps.stated_gap is 'Gap that the API states, on its own scale.';
comment on column bi.source_gaps.opportunity_type is 'Opportunity as the API words it.';
comment on column bi.source_gaps.opportunity_reason is 'Its reason.';
comment on column bi.source_gaps.rivals is 'Rivals that it mentions, separated by commas.';
comment on column bi.source_gaps.run_date is 'Run date that the row is of: the newest complete one.';
