/*
row: a question of the panel and run date
question: Which questions are watched, and how present is the brand in them?
time: run_date
also: client, is_latest
  run_date: Run date: one row a day with a complete snapshot, other days are gaps.
  prompt_id: Identifier of the question. <- prompts.id
  question: The question. <- prompts.question
  is_active: Whether it is asked. <- prompts.is_active
  intent: Intent as the API words it. <- prompts.intent
  language: Language as the API words it. <- prompts.language
  country: Country as the API words it. <- prompts.country
  presence_rate: Share of the answers with the brand, 0 to 1. <- prompts.presence
  mean_position: Mean position of the brand in the answers, 1 the first. <- prompts.mean_position
  engines: Engines that are asked, separated by commas. <- prompts.engines
*/
create or replace view bi.prompts_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.id as prompt_id,
  x.question,
  x.is_active,
  x.intent,
  x.language,
  x.country,
  sync.rate_within(x.presence) as presence_rate,
  x.mean_position,
  x.engines,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.prompts_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);
