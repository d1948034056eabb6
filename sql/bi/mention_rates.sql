-- row: a client, engine and week
-- question: In which share of its answers does an engine name the brand?
-- time: week_date
create or replace view bi.mention_rates as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name,
  x.week_date, -- Monday of the week in which the answers were given. <- answers.date or answers.answered_at | measurements.date or measurements.measured_at
  x.engine, -- Engine. <- answers.engine
  sum(x.answers)::bigint as answer_count, -- Number of answers.
  count(x.question)::integer as question_count, -- Number of different questions. [mean]
  sum(x.known)::bigint as known_count, -- Number of answers of which is known whether they name the brand.
  sum(x.mentioned)::bigint as mentioned_count, -- Number of answers that name the brand.
  sum(x.mentioned) / nullif(sum(x.known), 0) as mention_rate -- Share of the known answers that name the brand, 0 to 1. [mentioned_count / known_count] <- answers.is_mentioned
from (
  -- By question first, so that different ones are counted without a sort of all answers.
  select a.account, a.client_id, date_trunc('week', a.answered_date::timestamp)::date as week_date, a.engine, a.question,
    count(*) as answers, count(a.is_mentioned) as known, count(*) filter (where a.is_mentioned) as mentioned
  from bi_map.dated_answer as a
  left join bi_map.client as l on l.account = a.account and l.client_id = a.client_id
  where (coalesce(a.answered_date, a.run_date) >= l.left_on) is not true
  group by a.account, a.client_id, date_trunc('week', a.answered_date::timestamp)::date, a.engine, a.question
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
group by x.account, x.client_id, c.client_name, x.week_date, x.engine;
