-- row: an answer of an engine
-- question: What did engines answer, and is the brand in it?
-- group: answers
-- line: each answer, and whether the brand is in it
-- time: answered_date
create or replace view bi.answers as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.answered_date, -- Date of the answer; where it tells none, of its measurement. <- answers.date or answers.answered_at | measurements.date or measurements.measured_at
  x.answered_at, -- When it was given. <- answers.answered_at
  x.id as answer_id, -- Identifier of the answer. <- answers.id
  x.measurement_id, -- Measurement it belongs to. <- answers.measurement_id
  x.engine, -- Engine. <- answers.engine
  x.model, -- Model of the engine. <- answers.model
  x.question, -- The question. <- answers.question
  x.is_mentioned, -- Whether the brand is mentioned. <- answers.is_mentioned
  x.position as answer_position, -- Position of the brand in the answer, 1 the first. <- answers.position
  x.sentiment, -- Sentiment as the API words it. <- answers.sentiment
  x.answer as answer_text, -- The answer. <- answers.answer
  x.run_date
from bi_map.dated_answer as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (coalesce(x.answered_date, x.run_date) >= c.left_on) is not true;
