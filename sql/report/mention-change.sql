-- The share of answers that name the brand, 28 days against the 28 before, while the newest answer is of the period or
-- of the week after it: what is known now is no verdict on what was long ago.
select m.before_from_date as before_from, m.before_to_date as before_to, m.before_mention_rate as before_value,
  m.from_date as now_from, m.to_date as now_to, m.mention_rate as now_value, m.direction, m.question_count,
  m.answer_count + m.before_answer_count as answer_count
from bi.mention_changes as m
where m.account = :account and m.client_id = :client_id and m.client_id <> '' and m.to_date between :from and :to + 7
  and m.mention_rate is not null
