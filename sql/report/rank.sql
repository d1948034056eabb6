-- The AI Rank at the end of a period: its newest comparable point, and the change over 28 days as bi.rank_latest judges it.
-- One row, also without a point.
with point as materialized (
  select t.date, t.method, t.method_score as score, t.lower_score as low, t.upper_score as high
  from bi.rank_trend as t
  where t.account = :account and t.client_id = :client_id and t.client_id <> '' and t.date between :to - 620 and :to
    and t.method_score is not null
), newest as (
  select p.* from point as p where p.date >= :from order by p.date desc, p.method desc limit 1
), judged as (
  select n.*, b.date as date_28d, b.score as score_28d, n.score - b.score as change_28d, u.usual_change
  from newest as n
  left join lateral (
    select p.date, p.score from point as p
    where p.method = n.method and p.date between bi.compared_since(n.date, 28) and n.date - 28
    order by p.date desc limit 1
  ) as b on true
  cross join lateral (
    select bi.usual_change_28d(array_agg(p.date), array_agg(p.score), array_agg(p.low), array_agg(p.high)) as usual_change
    from point as p where p.method = n.method
  ) as u
)
select j.score, j.low as score_low, j.high as score_high, j.method, j.date, j.date_28d, j.score_28d, j.change_28d, j.usual_change,
  case when j.date_28d is null and j.score is not null then 'nothing_older' when abs(j.change_28d) < j.usual_change then 'usual'
    when j.change_28d >= j.usual_change then 'rose' when j.change_28d <= -j.usual_change then 'fell'
    when j.score is not null then 'few_changes' end as rank_direction
from (select) as one
left join judged as j on true
