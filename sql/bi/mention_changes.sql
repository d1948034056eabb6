-- row: a client, as it is now
-- question: Does the share of answers that name the brand rise or fall beyond chance, over 28 days?
-- group: visible
-- line: has that share really changed in 28 days?
-- newest: to_date
create or replace view bi.mention_changes as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.to_date - 27 as from_date, -- First of the 28 days. <- answers.is_mentioned and answers.question and answers.engine and (answers.date or answers.answered_at)
  x.to_date, -- Last of them: date of the newest answer of which is known whether it names the brand, and to what question and by which engine. <- answers.is_mentioned and answers.question and answers.engine and (answers.date or answers.answered_at)
  x.to_date - 55 as before_from_date, -- First of the 28 days before. <- answers.is_mentioned and answers.question and answers.engine and (answers.date or answers.answered_at)
  x.to_date - 28 as before_to_date, -- Last of the 28 days before. <- answers.is_mentioned and answers.question and answers.engine and (answers.date or answers.answered_at)
  x.rate as mention_rate, -- Mean of the shares of answers that name the brand, by question and engine, 0 to 1; of what was asked in both periods. <- answers.is_mentioned and answers.question and answers.engine and (answers.date or answers.answered_at)
  x.before_rate as before_mention_rate, -- The same in the 28 days before, 0 to 1. <- answers.is_mentioned and answers.question and answers.engine and (answers.date or answers.answered_at)
  x.rate - x.before_rate as change, -- Their difference, -1 to 1: an edited list of questions does not change it. [mean] <- answers.is_mentioned and answers.question and answers.engine and (answers.date or answers.answered_at)
  x.z, -- The difference in units of what chance alone does, 0 without one: the sum of the differences by question and engine, by the root of its variance. [none] <- answers.is_mentioned and answers.question and answers.engine and (answers.date or answers.answered_at)
  v.is_clear, -- Whether the change is clear: z is at least 3.5 or at most -3.5. Empty: so few answers that no change of them would be. <- answers.is_mentioned and answers.question and answers.engine and (answers.date or answers.answered_at)
  case when v.is_clear then case when x.z > 0 then 'rose' else 'fell' end when not v.is_clear then 'usual' end as direction, -- rose or fell where it is clear, usual where it is within what chance does; empty where it cannot be judged. <- answers.is_mentioned and answers.question and answers.engine and (answers.date or answers.answered_at)
  x.cell_count, -- Number of pairs of a question and an engine that were asked in both periods: what is compared. [mean]
  x.question_count, -- Number of questions in them. [mean]
  x.answer_count::bigint as answer_count, -- Number of answers in them, of the 28 days. [mean]
  x.before_answer_count::bigint as before_answer_count, -- Number of answers in them, of the 28 days before. [mean]
  x.questions_added, -- Number of questions that were asked in the 28 days only; they are left out. [mean]
  x.questions_dropped -- Number of questions that were asked in the 28 days before only; they are left out. [mean]
from (
  -- Answers of a client come from one list as a rule; of two the newer one counts, for they may hold the same ones.
  select distinct on (account, client_id) * from typed.mention_change order by account, client_id, to_date desc, slice_client_id desc
) as x
cross join lateral (select case when x.greatest_z >= 3.5 then abs(x.z) >= 3.5 end as is_clear) as v
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
