-- row: a question of the panel, as it is now
-- question: Which questions are watched, and how present is the brand in them?
-- group: answers
-- line: the questions that are watched
-- history: prompts
create or replace view bi.prompts as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.id as prompt_id, -- Identifier of the question. <- prompts.id
  x.question, -- The question. <- prompts.question
  x.is_active, -- Whether it is asked. <- prompts.is_active
  x.intent, -- Intent as the API words it. <- prompts.intent
  x.language, -- Language as the API words it. <- prompts.language
  x.country, -- Country as the API words it. <- prompts.country
  sync.rate_within(x.presence) as presence_rate, -- Share of the answers with the brand, 0 to 1, as the API states it, which may be of its newest measurement alone: over a period answers says it. <- prompts.presence
  x.mean_position, -- Mean position of the brand in the answers, 1 the first. <- prompts.mean_position
  x.engines, -- Engines that are asked, separated by commas. <- prompts.engines
  x.run_date,
  x.as_of as as_of_date -- Date that the API says the figures are of or were read on. <- prompts.as_of
from bi_map.prompts as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
