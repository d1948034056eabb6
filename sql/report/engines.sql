-- The share of answers that name the brand, by engine, in the newest whole week of the period that has answers.
select distinct on (m.engine) m.engine as name, m.week_date as now_date, m.mention_rate as now_value, m.low_rate as low_value,
  m.high_rate as high_value
from bi.mention_rates as m
where m.account = :account and m.client_id = :client_id and m.client_id <> '' and m.week_date between :from and :to - 6
  and m.engine is not null and m.mention_rate is not null
order by m.engine, m.week_date desc
