-- Grain: one row an answer of an engine.
-- What did engines answer, and is the brand in it?
create or replace view bi.answers as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.answered_date,
  x.answered_at,
  x.id as answer_id,
  x.measurement_id,
  x.engine,
  x.model,
  x.question,
  x.is_mentioned,
  x.position as answer_position,
  x.sentiment,
  x.answer as answer_text,
  x.run_date
from (
  -- The date is worded as the index on it words it.
  select x.*, coalesce(x.date, (x.answered_at at time zone 'UTC')::date) as answered_date
  from bi_map.answers as x
  where coalesce(x.date, (x.answered_at at time zone 'UTC')::date) is not null
  union all
  select x.*, (
      select coalesce(m.date, (m.measured_at at time zone 'UTC')::date) from bi_map.measurements_version as m
      where m.account = x.account and m.id = x.measurement_id and m.client_id in (x.client_id, '') order by m.until desc limit 1
    )
  from bi_map.answers as x
  where coalesce(x.date, (x.answered_at at time zone 'UTC')::date) is null
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (coalesce(x.answered_date, x.run_date) >= c.left_on) is not true;

comment on view bi.answers is
  'Grain: one row an answer of an engine. What did engines answer, and is the brand in it?';
comment on column bi.answers.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.answers.account is 'Account that the data was read with.';
comment on column bi.answers.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.answers.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.answers.answered_date is 'Date of the answer; where it tells none, of its measurement.';
comment on column bi.answers.answered_at is 'When it was given.';
comment on column bi.answers.answer_id is 'Identifier of the answer.';
comment on column bi.answers.measurement_id is 'Measurement it belongs to.';
comment on column bi.answers.engine is 'Engine.';
comment on column bi.answers.model is 'Model of the engine.';
comment on column bi.answers.question is 'The question.';
comment on column bi.answers.is_mentioned is 'Whether the brand is mentioned.';
comment on column bi.answers.answer_position is 'Position of the brand in the answer, 1 the first.';
comment on column bi.answers.sentiment is 'Sentiment as the API words it.';
comment on column bi.answers.answer_text is 'The answer.';
comment on column bi.answers.run_date is 'Run date that the row is of: the newest complete one.';
