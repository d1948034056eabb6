-- The share of answers that name the brand, by engine, in the newest four whole weeks that end in the period, and in the
-- four before. An interval of several weeks is what theirs add up to, each by its part of the answers.
with week as materialized (
  select m.engine, m.week_date, m.known_count, m.mentioned_count, m.mention_rate - m.low_rate as below, m.high_rate - m.mention_rate as above
  from bi.mention_rates as m
  where m.account = :account and m.client_id = :client_id and m.client_id <> '' and m.week_date between :from - 49 and :to - 6
    and m.engine is not null and m.mention_rate is not null
), told as (
  select w.engine, w.week_date > n.week_date - 28 as is_now, min(w.week_date) as from_date, max(w.week_date) + 6 as to_date,
    sum(w.mentioned_count) / sum(w.known_count) as rate,
    sqrt(sum((w.known_count * w.below) ^ 2)) / sum(w.known_count) as below,
    sqrt(sum((w.known_count * w.above) ^ 2)) / sum(w.known_count) as above
  from week as w
  join (select max(week_date) as week_date from week where week_date >= :from) as n on w.week_date > n.week_date - 56
  group by w.engine, w.week_date > n.week_date - 28
)
select n.engine as name, n.from_date as now_from, n.to_date as now_date, round(n.rate, 8) as now_value,
  round(n.rate - n.below, 8) as low_value, round(n.rate + n.above, 8) as high_value, b.to_date as before_date,
  round(b.rate, 8) as before_value
from told as n
left join told as b on b.engine = n.engine and not b.is_now
where n.is_now
order by n.engine
