-- Where a client stands: the newest AI Rank of each method, the position of that point, and the actions by status.
with latest as materialized (
  select l.method, l.date, l.score, l.change_7d, l.change_28d, l.is_current_method, l.date_7d, l.date_28d
  from bi.rank_latest as l
  where l.account = :account and l.client_id = :client_id
), figures as (
  select 1 as place, 'rank' as figure, method as detail, date, score as value, change_7d, change_28d, is_current_method as is_current,
    date_7d, date_28d
  from latest
  union all
  select 2, 'position', t.method, t.date, t.position, null, null, true, null, null
  from bi.rank_trend as t
  join latest as l on l.method = t.method and l.date = t.date and l.is_current_method
  where t.account = :account and t.client_id = :client_id and t.position is not null
  union all
  select 3, 'actions', a.status, max(a.run_date), count(*), null, null, true, null, null
  from bi.actions as a
  where a.account = :account and a.client_id = :client_id
  group by a.status
)
select figure, detail, date, value, change_7d, change_28d, is_current, date_7d, date_28d
from figures
order by place, is_current desc, value desc, detail
