-- Grain: one row a question and run date.
-- Which searches do engines make for a question, and does the client's site cover them?
create or replace view bi.fanout_coverage_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.id as prompt_id,
  x.question,
  case jsonb_typeof(x.searches) when 'array' then jsonb_array_length(x.searches) end as search_count,
  x.covered as covered_count,
  x.url as covered_url,
  x.terms,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.fanouts_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.fanout_coverage_daily is
  'Grain: one row a question and run date. Which searches do engines make for a question, and does the client''s site cover them?';
comment on column bi.fanout_coverage_daily.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.fanout_coverage_daily.account is 'Account that the data was read with.';
comment on column bi.fanout_coverage_daily.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.fanout_coverage_daily.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.fanout_coverage_daily.run_date is 'Run date: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.fanout_coverage_daily.prompt_id is 'Identifier of the question.';
comment on column bi.fanout_coverage_daily.question is 'The question.';
comment on column bi.fanout_coverage_daily.search_count is 'Number of searches that engines made.';
comment on column bi.fanout_coverage_daily.covered_count is 'Number of searches that the client''s site covers.';
comment on column bi.fanout_coverage_daily.covered_url is 'Page that covers them.';
comment on column bi.fanout_coverage_daily.terms is 'Terms in the searches, separated by commas.';
comment on column bi.fanout_coverage_daily.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
