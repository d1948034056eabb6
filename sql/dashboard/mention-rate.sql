-- Answers with the brand by date and engine; past 180 days by week, and no week goes over the end of a month.
select x.date, x.engine, count(*) filter (where x.is_mentioned) as mentioned_count,
  count(x.is_mentioned) as known_count, count(*) as answer_count
from (
  select a.engine, a.is_mentioned, greatest(
      case when :to - :from <= 180 then a.answered_date
        else greatest(date_trunc('week', a.answered_date)::date, date_trunc('month', a.answered_date)::date) end,
      :from) as date
  from bi.answers as a
  where a.account = :account and a.client_id = :client_id and a.answered_date between :from and :to
) as x
group by x.date, x.engine
order by x.date, x.engine
