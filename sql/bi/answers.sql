/*
row: an answer of an engine
question: What did engines answer, and is the brand in it?
time: answered_date
also: client, run_date
  answered_date: Date of the answer; where it tells none, of its measurement. <- answers.date or answers.answered_at | measurements.date or measurements.measured_at
  answered_at: When it was given. <- answers.answered_at
  answer_id: Identifier of the answer. <- answers.id
  measurement_id: Measurement it belongs to. <- answers.measurement_id
  engine: Engine. <- answers.engine
  model: Model of the engine. <- answers.model
  question: The question. <- answers.question
  is_mentioned: Whether the brand is mentioned. <- answers.is_mentioned
  answer_position: Position of the brand in the answer, 1 the first. <- answers.position
  sentiment: Sentiment as the API words it. <- answers.sentiment
  answer_text: The answer. <- answers.answer
*/
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
