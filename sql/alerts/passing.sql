-- The own position among the measured brands with the one 7 days before, and what the API says of competitors.
with points as materialized (
  select client_id, method, date, method_position as position
  from (select * from bi.rank_trend union all select * from bi.account_rank) as t
  where account = :account and client_id = any(:clients) and date between :date - 30 and :date
), newest as (
  select distinct on (client_id) * from points order by client_id, date desc, method desc
)
select 'position' as kind, n.client_id, n.date, n.method, n.position::float8 as position,
  w.position::float8 as position_7d, w.date as date_7d, null as competitor, null as news_type, null as message
from newest as n
join (
  select distinct on (p.client_id) p.* from newest as n join points as p using (client_id, method)
  where p.date between n.date - 13 and n.date - 7
  order by p.client_id, p.date desc
) as w on w.client_id = n.client_id
where n.position is not null and w.position is not null
union all
select 'news', a.client_id, a.alert_date, null, null, null, null, a.competitor_name, a.alert_type, max(a.message)
from bi.competitor_alerts as a
where a.account = :account and a.client_id = any(:clients) and a.alert_date between :since and :date
  and a.competitor_name is not null and a.alert_type is not null
group by a.client_id, a.alert_date, a.competitor_name, a.alert_type
