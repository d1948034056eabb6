-- Share of the answers that name the brand, by engine and week.
select m.week_date, m.engine, m.mention_rate, m.low_rate, m.high_rate, m.mentioned_count, m.known_count, m.answer_count,
  m.question_count, m.interval_basis
from bi.mention_rates as m
where m.account = :account and m.client_id = :client_id and m.week_date between :from - 6 and :to
order by m.week_date, m.engine
