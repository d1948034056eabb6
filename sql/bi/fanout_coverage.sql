-- Grain: one row a question, as it is now.
-- Which searches do engines make for a question, and does the client's site cover them?
create or replace view bi.fanout_coverage as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.id as prompt_id,
  x.question,
  case jsonb_typeof(x.searches) when 'array' then jsonb_array_length(x.searches) end as search_count,
  x.covered as covered_count,
  x.url as covered_url,
  x.terms,
  x.run_date
from bi_map.fanouts as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.fanout_coverage is
  'Grain: one row a question, as it is now. Which searches do engines make for a question, and does the client''s site cover them?';
comment on column bi.fanout_coverage.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.fanout_coverage.account is 'Account that the data was read with.';
comment on column bi.fanout_coverage.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.fanout_coverage.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.fanout_coverage.prompt_id is 'Identifier of the question.';
comment on column bi.fanout_coverage.question is 'The question.';
comment on column bi.fanout_coverage.search_count is 'Number of searches that engines made.';
comment on column bi.fanout_coverage.covered_count is 'Number of searches that the client''s site covers.';
comment on column bi.fanout_coverage.covered_url is 'Page that covers them.';
comment on column bi.fanout_coverage.terms is 'Terms in the searches, separated by commas.';
comment on column bi.fanout_coverage.run_date is 'Run date that the row is of: the newest complete one.';
