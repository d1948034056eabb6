-- Grain: one row a question of the panel and run date.
-- Which questions are watched, and how present is the brand in them?
create or replace view bi.prompts as
select
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
  x.presence as presence_rate,
  x.mean_position,
  x.engines,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.prompts_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.prompts is
  'Grain: one row a question of the panel and run date. Which questions are watched, and how present is the brand in them?';
comment on column bi.prompts.account is 'Account that the data was read with.';
comment on column bi.prompts.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.prompts.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.prompts.run_date is 'The logical day of the data: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.prompts.prompt_id is 'Identifier of the question.';
comment on column bi.prompts.question is 'The question.';
comment on column bi.prompts.is_active is 'Whether it is asked.';
comment on column bi.prompts.intent is 'Intent as the API words it.';
comment on column bi.prompts.language is 'Language.';
comment on column bi.prompts.country is 'Country.';
comment on column bi.prompts.presence_rate is 'Share of answers with the brand, as the API gives it.';
comment on column bi.prompts.mean_position is 'Mean position in the answers.';
comment on column bi.prompts.engines is 'Engines that are asked.';
comment on column bi.prompts.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
