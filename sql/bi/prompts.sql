-- Grain: one row a question of the panel, as it is now.
-- Which questions are watched, and how present is the brand in them?
create or replace view bi.prompts as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.id as prompt_id,
  x.question,
  x.is_active,
  x.intent,
  x.language,
  x.country,
  sync.rate_within(x.presence) as presence_rate,
  x.mean_position,
  x.engines,
  x.run_date
from bi_map.prompts as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.prompts is
  'Grain: one row a question of the panel, as it is now. Which questions are watched, and how present is the brand in them?';
comment on column bi.prompts.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.prompts.account is 'Account that the data was read with.';
comment on column bi.prompts.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.prompts.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.prompts.prompt_id is 'Identifier of the question.';
comment on column bi.prompts.question is 'The question.';
comment on column bi.prompts.is_active is 'Whether it is asked.';
comment on column bi.prompts.intent is 'Intent as the API words it.';
comment on column bi.prompts.language is 'Language as the API words it.';
comment on column bi.prompts.country is 'Country as the API words it.';
comment on column bi.prompts.presence_rate is 'Share of the answers with the brand, 0 to 1.';
comment on column bi.prompts.mean_position is 'Mean position of the brand in the answers, 1 the first.';
comment on column bi.prompts.engines is 'Engines that are asked, separated by commas.';
comment on column bi.prompts.run_date is 'Run date that the row is of: the newest complete one.';
