-- Grain: one row a cluster of questions and run date.
-- Which groups of questions are there, and where is the opportunity?
create or replace view bi.prompt_clusters_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.id as cluster_id,
  x.name as cluster_name,
  x.opportunity as opportunity_score,
  sync.rate_within(x.presence) as presence_rate,
  case jsonb_typeof(x.questions) when 'array' then jsonb_array_length(x.questions) end as question_count,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.prompt_clusters_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.prompt_clusters_daily is
  'Grain: one row a cluster of questions and run date. Which groups of questions are there, and where is the opportunity?';
comment on column bi.prompt_clusters_daily.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.prompt_clusters_daily.account is 'Account that the data was read with.';
comment on column bi.prompt_clusters_daily.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.prompt_clusters_daily.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.prompt_clusters_daily.run_date is 'Run date: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.prompt_clusters_daily.cluster_id is 'Identifier of the cluster.';
comment on column bi.prompt_clusters_daily.cluster_name is 'Its name.';
comment on column bi.prompt_clusters_daily.opportunity_score is 'Opportunity that the API states, 0 to 100.';
comment on column bi.prompt_clusters_daily.presence_rate is 'Share of the answers with the brand, 0 to 1.';
comment on column bi.prompt_clusters_daily.question_count is 'Number of questions in the cluster.';
comment on column bi.prompt_clusters_daily.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
