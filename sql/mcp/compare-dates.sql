-- A client's figures at two dates: the AI Rank and its dimensions at the newest comparable points of one method, up to six
-- days before each; and the share of answers that name the brand in the weeks of the dates. is_clear is there where
-- bi.rank_latest judges these very points.
with point as materialized (
  select t.date, t.method, t.method_score as score
  from (select * from bi.rank_trend union all select * from bi.account_rank) as t
  where t.account = :account and t.client_id = :client_id
    and (t.date between :first_from - 6 and :first_from or t.date between :second_to - 6 and :second_to)
), later as materialized (
  select * from point where date between :second_to - 6 and :second_to order by date desc, method desc limit 1
), earlier as materialized (
  select p.* from point as p join later as l on l.method = p.method
  where p.date between :first_from - 6 and :first_from order by p.date desc limit 1
), week as materialized (
  select m.week_date, sum(m.mentioned_count) / nullif(sum(m.known_count), 0)::numeric as rate
  from bi.mention_rates as m
  where m.account = :account and m.client_id = :client_id
    and m.week_date in (date_trunc('week', :first_from)::date, date_trunc('week', :second_to)::date)
  group by m.week_date
)
select x.figure, x.before_date, x.before, x.after_date, x.after, x.after - x.before as change, x.is_clear, x.direction,
  x.place as "(place)"
from (
  select 0 as place, 'AI Rank, 0 to 100, method ' || l.method as figure, e.date as before_date, e.score as before, l.date as after_date,
    l.score as after, r.change_28d_is_clear as is_clear, r.change_28d_direction as direction
  from later as l
  left join earlier as e on true
  left join bi.rank_latest as r on r.account = :account and r.client_id = :client_id
    and r.method = l.method and r.date = l.date and r.date_28d = e.date
  union all
  select 1, 'AI Rank, ' || coalesce(b.dimension, a.dimension), e.date, b.method_score, l.date, a.method_score, null, null
  from later as l
  join earlier as e on true
  cross join lateral (
    select * from bi.rank_dimensions as d
    where d.account = :account and d.client_id = :client_id and d.date = l.date and d.method = l.method
  ) as a
  left join bi.rank_dimensions as b on b.account = :account and b.client_id = :client_id and b.date = e.date
    and b.method = e.method and b.dimension = a.dimension
  union all
  select 2, 'share of answers that name the brand, 0 to 1, week', b.week_date, b.rate, a.week_date, a.rate, null, null
  from (select 1) as one
  left join week as b on b.week_date = date_trunc('week', :first_from)::date
  left join week as a on a.week_date = date_trunc('week', :second_to)::date
  where a.week_date is not null or b.week_date is not null
) as x
