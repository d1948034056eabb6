-- The change of the AI Rank over 28 days, as bi.rank_latest judges it, to the newest point of the period.
with point as materialized (
  select t.date, t.method, t.method_score as score, t.lower_score as low, t.upper_score as high
  from bi.rank_trend as t
  where t.account = :account and t.client_id = :client_id and t.client_id <> '' and t.date between :to - 620 and :to
    and t.method_score is not null
), newest as (
  select p.* from point as p where p.date >= :from order by p.date desc, p.method desc limit 1
)
select n.date as now_to, n.score as now_value, b.date as before_to, b.score as before_value, u.usual_change,
  case when abs(n.score - b.score) < u.usual_change then 'usual' when n.score - b.score >= u.usual_change then 'rose'
    when n.score - b.score <= -u.usual_change then 'fell' end as direction
from newest as n
join lateral (
  select p.date, p.score from point as p
  where p.method = n.method and p.date between bi.compared_since(n.date, 28) and n.date - 28
  order by p.date desc limit 1
) as b on true
cross join lateral (
  select bi.usual_change_28d(array_agg(p.date), array_agg(p.score), array_agg(p.low), array_agg(p.high)) as usual_change
  from point as p where p.method = n.method
) as u
