-- Where a client stands, or the account itself: the newest AI Rank, the position of that point, and the actions by status.
with latest as materialized (
  select l.method, l.date, l.score, l.change_7d, l.change_28d, l.date_7d, l.date_28d
  from bi.rank_latest as l
  where l.account = :account and l.client_id = :client_id
  union all
  (
    select a.method, a.date, a.score, a.score - w.score, a.score - m.score, w.date, m.date
    from bi.account_rank as a
    left join lateral (
      select e.date, e.score from bi.account_rank as e
      where e.account = a.account and e.is_current_method and e.date between bi.compared_since(a.date, 7) and a.date - 7
      order by e.date desc limit 1
    ) as w on true
    left join lateral (
      select e.date, e.score from bi.account_rank as e
      where e.account = a.account and e.is_current_method and e.date between bi.compared_since(a.date, 28) and a.date - 28
      order by e.date desc limit 1
    ) as m on true
    where a.account = :account and :client_id = '' and a.is_current_method
    order by a.date desc limit 1
  )
), figures as (
  select 1 as place, 'rank' as figure, method as detail, date, score as value, change_7d, change_28d, date_7d, date_28d
  from latest
  union all
  select 2, 'position', t.method, t.date, t.position, null, null, null, null
  from (select * from bi.rank_trend union all select * from bi.account_rank) as t
  join latest as l on l.date = t.date
  where t.account = :account and t.client_id = :client_id and t.position is not null
  union all
  select 3, 'actions', a.status, max(a.run_date), count(*), null, null, null, null
  from bi.actions as a
  where a.account = :account and a.client_id = :client_id
  group by a.status
)
select figure, detail, date, value, change_7d, change_28d, date_7d, date_28d
from figures
order by place, value desc, detail
