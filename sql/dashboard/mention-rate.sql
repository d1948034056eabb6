-- Answers with the brand by date and engine.
select a.answered_date as date, a.engine, count(*) filter (where a.is_mentioned) as mentioned_count,
  count(a.is_mentioned) as known_count, count(*) as answer_count
from bi.answers as a
where a.account = :account and a.client_id = :client_id and a.answered_date between :from and :to
group by a.answered_date, a.engine
order by a.answered_date, a.engine
