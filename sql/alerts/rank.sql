-- The newest comparable point of each client until the date, by its newest method, and the points that are 7 and 28
-- days older, as in bi.rank_latest; and whether the change over 28 days is clear, as it judges it.
with points as materialized (
  select p.client_id, p.method, p.date, p.score
  from bi_map.rank_series as p
  left join bi_map.client as c on c.account = :account and c.client_id = p.client_id
  -- What is usual is told by the changes of up to a year before those of the last 28 days.
  where p.account = :account and p.client_id = any(:clients) and p.date between :date - 620 and :date
    and (p.date >= c.left_on) is not true
), newest as (
  select distinct on (client_id) * from points where date >= :date - 60 order by client_id, date desc, method desc
), interval_of as materialized (
  -- Asked of the view above, they are read for every account.
  select client_id, date, score, lower, upper from bi_map.rank2_series
  where account = :account and client_id = any(:clients) and date between :date - 120 and :date
), compared as (
  select n.client_id, n.method, n.date, n.score,
    w.date as date_7d, w.score as score_7d, m.date as date_28d, m.score as score_28d, u.usual_change
  from newest as n
  left join (
    select distinct on (p.client_id) p.* from newest as n join points as p using (client_id, method)
    where p.date between bi.compared_since(n.date, 7) and n.date - 7
    order by p.client_id, p.date desc
  ) as w on w.client_id = n.client_id
  left join (
    select distinct on (p.client_id) p.* from newest as n join points as p using (client_id, method)
    where p.date between bi.compared_since(n.date, 28) and n.date - 28
    order by p.client_id, p.date desc
  ) as m on m.client_id = n.client_id
  left join (
    select p.client_id, bi.usual_change_28d(array_agg(p.date), array_agg(p.score), array_agg(i.lower), array_agg(i.upper)) as usual_change
    from newest as n join points as p using (client_id, method)
    left join interval_of as i on i.client_id = p.client_id and i.date = p.date and i.score = p.score
    group by p.client_id
  ) as u on u.client_id = n.client_id
)
select client_id, method, date, score::float8 as score, date_7d, score_7d::float8 as score_7d, date_28d,
  score_28d::float8 as score_28d, round(usual_change, 4)::float8 as usual_change,
  case when abs(score - score_28d) < usual_change then 'usual' when score - score_28d >= usual_change then 'rose'
    when score - score_28d <= -usual_change then 'fell' end as direction
from compared
where score is not null
order by client_id
