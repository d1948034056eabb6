-- Grain: one row a domain in favour of rivals and run date.
-- Which sources cite rivals more than the client, and is there an opportunity?
create or replace view bi.source_gaps as
select
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.domain,
  x.citations as citation_count,
  x.rival_citations as rival_citation_count,
  x.gap,
  x.opportunity_kind as opportunity_type,
  x.opportunity_reason,
  x.rivals,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.sources_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.gap > 0 or x.rival_citations > x.citations or x.opportunity_kind is not null) and not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.source_gaps is
  'Grain: one row a domain in favour of rivals and run date. Which sources cite rivals more than the client, and is there an opportunity?';
comment on column bi.source_gaps.account is 'Account that the data was read with.';
comment on column bi.source_gaps.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.source_gaps.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.source_gaps.run_date is 'The logical day of the data: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.source_gaps.domain is 'The domain.';
comment on column bi.source_gaps.citation_count is 'Citations of the domain.';
comment on column bi.source_gaps.rival_citation_count is 'Citations in favour of rivals.';
comment on column bi.source_gaps.gap is 'Gap that the API states.';
comment on column bi.source_gaps.opportunity_type is 'Opportunity as the API words it.';
comment on column bi.source_gaps.opportunity_reason is 'Its reason.';
comment on column bi.source_gaps.rivals is 'Rivals that it mentions.';
comment on column bi.source_gaps.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
