-- The dimensions of the AI Rank at two points of the method of the newest one: the newest point, and the one
-- that bi.rank_latest compares it with, 28 to 41 days older.
with point as materialized (
  select d.date, d.method, d.dimension, d.method_score as score
  from bi.rank_dimensions as d
  where d.account = :account and d.client_id = :client_id and d.client_id <> '' and d.date between bi.compared_since(:from, 28) and :to
    and d.method_score is not null
), newest as (
  select p.date, p.method from point as p where p.date >= :from order by p.date desc, p.method desc limit 1
), chosen as (
  select n.method, n.date as now_date, max(p.date) as before_date
  from newest as n join point as p on p.method = n.method
    and p.date between bi.compared_since(n.date, 28) and n.date - 28
  group by n.method, n.date
)
select now.dimension as name, c.method, c.before_date, before.score as before_value, c.now_date, now.score as now_value
from chosen as c
join point as now on now.date = c.now_date and now.method = c.method
join point as before on before.date = c.before_date and before.method = c.method and before.dimension = now.dimension
order by now.dimension
