-- The AI Rank of each client that is listed, by date, by the method that it has now. Past 180 days the last of each week.
with points as materialized (
  select t.client_id, t.date, t.method_score as score
  from bi.rank_trend as t
  where t.account = :account and t.client_id <> '' and t.date between :from and :to and t.is_current_method
), numbered as (
  select points.*, row_number() over (
    partition by client_id, case when :to - :from > 180 then date_trunc('week', date) else date end order by date desc, score
  ) as place
  from points
)
select c.client_key, coalesce(c.client_name, c.client_id) as client_name, n.date, n.score
from numbered as n
join bi.clients as c on c.account = :account and c.client_id = n.client_id and c.left_on is null
where n.place = 1
order by c.client_key, n.date
