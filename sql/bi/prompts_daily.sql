-- Grain: one row a question of the panel and run date.
-- Which questions are watched, and how present is the brand in them?
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

comment on view bi.prompts_daily is
  'Grain: one row a question of the panel and run date. Which questions are watched, and how present is the brand in them?';
comment on column bi.prompts_daily.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.prompts_daily.account is 'Account that the data was read with.';
comment on column bi.prompts_daily.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.prompts_daily.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.prompts_daily.run_date is 'Run date: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.prompts_daily.prompt_id is 'Identifier of the question.';
comment on column bi.prompts_daily.question is 'The question.';
comment on column bi.prompts_daily.is_active is 'Whether it is asked.';
comment on column bi.prompts_daily.intent is 'Intent as the API words it.';
comment on column bi.prompts_daily.language is 'Language as the API words it.';
comment on column bi.prompts_daily.country is 'Country as the API words it.';
comment on column bi.prompts_daily.presence_rate is 'Share of the answers with the brand, 0 to 1.';
comment on column bi.prompts_daily.mean_position is 'Mean position of the brand in the answers, 1 the first.';
comment on column bi.prompts_daily.engines is 'Engines that are asked, separated by commas.';
comment on column bi.prompts_daily.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
