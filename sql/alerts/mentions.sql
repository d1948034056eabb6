-- How the share of answers that name a client changed, 28 days against the 28 before, as it is now. Of a date before its
-- newest answer nothing is known; an answer of the day after it is another time zone's.
select m.client_id, m.to_date as date, m.mention_rate::float8 as rate, m.before_mention_rate::float8 as before_rate,
  m.direction
from bi.mention_changes as m
where m.account = :account and m.client_id = any(:clients) and m.to_date <= :date + 1 and m.mention_rate is not null
order by m.client_id
