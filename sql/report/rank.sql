-- The comparable points of the AI Rank of the period and the one before. is_before: what bi.rank_latest compares the
-- newest one of the period with, 28 to 41 days older.
with newest as materialized (
  select t.date, t.method
  from bi.rank_trend as t
  where t.account = :account and t.client_id = :client_id and t.client_id <> '' and t.date between :from and :to
    and t.method_score is not null
  order by t.date desc, t.method desc limit 1
), point as materialized (
  select t.date, t.method, t.method_score as score, t.method_position as position, t.source
  from bi.rank_trend as t
  where t.account = :account and t.client_id = :client_id and t.client_id <> ''
    and t.date between least(:before_from, bi.compared_since(:from, 28)) and :to
)
select p.date, p.method, p.score, p.position, p.source, (p.date, p.method) = (
    select b.date, b.method
    from newest as n join point as b on b.method = n.method and b.score is not null
      and b.date between bi.compared_since(n.date, 28) and n.date - 28
    order by b.date desc limit 1
  ) as is_before
from point as p
order by p.date, p.method
