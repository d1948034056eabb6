-- Grain: one row an answer of an engine.
-- What did engines answer, and is the brand in it?
create or replace view bi.answers as
select
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.id as answer_id,
  x.measurement_id,
  x.date as answered_date,
  x.answered_at,
  x.engine,
  x.model,
  x.question,
  x.is_mentioned,
  x.position,
  x.sentiment,
  x.answer as answer_text
from bi_map.answers as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (coalesce(x.date, x.run_date) >= c.left_on) is not true;

comment on view bi.answers is
  'Grain: one row an answer of an engine. What did engines answer, and is the brand in it?';
comment on column bi.answers.account is 'Account that the data was read with.';
comment on column bi.answers.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.answers.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.answers.run_date is 'The logical day of the data: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.answers.answer_id is 'Identifier of the answer.';
comment on column bi.answers.measurement_id is 'Measurement it belongs to.';
comment on column bi.answers.answered_date is 'Date of the answer.';
comment on column bi.answers.answered_at is 'When it was given.';
comment on column bi.answers.engine is 'Engine.';
comment on column bi.answers.model is 'Model.';
comment on column bi.answers.question is 'Question that was asked.';
comment on column bi.answers.is_mentioned is 'Whether the brand is mentioned.';
comment on column bi.answers.position is 'Position of the brand in the answer.';
comment on column bi.answers.sentiment is 'Sentiment as the API words it.';
comment on column bi.answers.answer_text is 'The answer.';
