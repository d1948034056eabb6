-- row: a cluster of questions, as it is now
-- question: Which groups of questions are there, and where is the opportunity?
-- group: answers
-- history: prompt_clusters
create or replace view bi.prompt_clusters as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.id as cluster_id, -- Identifier of the cluster. <- prompt_clusters.id
  x.name as cluster_name, -- Its name. <- prompt_clusters.name
  x.opportunity as opportunity_score, -- Opportunity that the API states, 0 to 100. <- prompt_clusters.opportunity
  sync.rate_within(x.presence) as presence_rate, -- Share of the answers with the brand, 0 to 1. [mean by question_count] <- prompt_clusters.presence
  case jsonb_typeof(x.questions) when 'array' then jsonb_array_length(x.questions) end as question_count, -- Number of questions in the cluster. <- prompt_clusters.questions
  x.run_date,
  x.as_of as as_of_date -- Date that the API says the figures are of or were read on. <- prompt_clusters.as_of
from bi_map.prompt_clusters as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
