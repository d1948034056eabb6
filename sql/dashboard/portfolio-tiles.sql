-- The AI Rank of each client by date, in the method of its newest point; past 90 days the last point of each week. A
-- client without a point on the last date has a row of that date without a score, so that nobody is missing.
with points as (
  select
    t.client_id, t.date, t.method, t.score,
    row_number() over (partition by t.client_id, date_trunc('week', t.date) order by t.date desc) as place
  from bi.rank_latest as l
  join bi.rank_trend as t on t.account = l.account and t.client_id = l.client_id and t.method = l.method
  where l.account = :account and l.is_current_method and t.date between :from and :to
), shown as (
  select client_id, date, method, score from points where :to - :from <= 90 or place = 1
), present as (
  select c.client_key, c.client_id, coalesce(c.client_name, c.client_id) as client_name
  from bi.clients as c
  where c.account = :account and not c.is_account and c.left_on is null
)
select p.client_name, s.date, s.score, s.method, p.client_key
from present as p
join (
  select client_id, date, method, score from shown
  union all
  select client_id, :to, null, null from present
  where not exists (select from shown where shown.client_id = present.client_id and shown.date = :to)
) as s on s.client_id = p.client_id
order by lower(p.client_name), p.client_key, s.date
