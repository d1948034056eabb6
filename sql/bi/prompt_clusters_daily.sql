/*
row: a cluster of questions and run date
question: Which groups of questions are there, and where is the opportunity?
time: run_date
also: client, is_latest
  run_date: Run date: one row a day with a complete snapshot, other days are gaps.
  cluster_id: Identifier of the cluster. <- prompt_clusters.id
  cluster_name: Its name. <- prompt_clusters.name
  opportunity_score: Opportunity that the API states, 0 to 100. <- prompt_clusters.opportunity
  presence_rate: Share of the answers with the brand, 0 to 1. <- prompt_clusters.presence
  question_count: Number of questions in the cluster. <- prompt_clusters.questions
*/
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
