-- The newest comparable point of each client until the date, by its newest method, and the points that are 7 and 28
-- days older, as in bi.rank_latest.
with points as materialized (
  select client_id, method, date, method_score as score
  from (select * from bi.rank_trend union all select * from bi.account_rank) as t
  where account = :account and client_id = any(:clients) and date between :date - 60 and :date
), newest as (
  select distinct on (client_id) * from points order by client_id, date desc, method desc
)
select n.client_id, n.method, n.date, n.score::float8 as score,
  w.date as date_7d, w.score::float8 as score_7d,
  m.date as date_28d, m.score::float8 as score_28d
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
where n.score is not null
order by n.client_id
