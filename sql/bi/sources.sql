-- Grain: one row a domain, as it is now.
-- Which domains do engines rely on?
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

comment on view bi.sources is
  'Grain: one row a domain, as it is now. Which domains do engines rely on?';
comment on column bi.sources.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.sources.account is 'Account that the data was read with.';
comment on column bi.sources.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.sources.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.sources.domain is 'The domain.';
comment on column bi.sources.source_type is 'Type as the API words it.';
comment on column bi.sources.authority_score is 'Authority that the API states, 0 to 100.';
comment on column bi.sources.citation_count is 'Number of citations of the domain.';
comment on column bi.sources.rival_citation_count is 'Number of citations in favour of rivals.';
comment on column bi.sources.rivals is 'Rivals that it mentions, separated by commas.';
comment on column bi.sources.run_date is 'Run date that the row is of: the newest complete one.';
