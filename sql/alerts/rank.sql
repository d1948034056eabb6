-- The newest comparable point of each client until the date, by its newest method, and the points that are 7 and 28
-- days older; and whether the change over 28 days is clear. As bi.rank_latest has and judges them on that date.
with point as not materialized (
  select * from bi_map.rank_dated
  union all
  select * from bi_map.rank_standing
), newest as materialized (
  select c.client_id, p.method, p.date, p.score
  from unnest(:clients) as c (client_id)
  cross join lateral (
    select * from point as p
    where p.account = :account and p.client_id = c.client_id and p.excluded_reason is null and p.date between :date - 60 and :date
    order by p.date desc, p.method desc, p.source_rank, p.measured_at desc nulls last, p.score, p.position, p.dimensions limit 1
  ) as p
), compared as (
  select n.*, w.score_7d, w.score_28d, bi.usual_change(s.half_widths, e.changes) as usual_change
  from newest as n
  cross join lateral (
    select max(p.score) filter (where w.days = 7) as score_7d,
      max(p.date) filter (where w.days = 28) as date_28d, max(p.score) filter (where w.days = 28) as score_28d
    from unnest('{7,28}'::integer[]) as w (days)
    cross join lateral (
      select p.date, p.score from point as p
      where p.account = :account and p.client_id = n.client_id and p.method = n.method and p.excluded_reason is null
        and p.date between bi.compared_since(n.date, w.days) and n.date - w.days
      order by p.date desc, p.source_rank, p.measured_at desc nulls last, p.score, p.position, p.dimensions limit 1
    ) as p
  ) as w
  cross join lateral (
    -- A state that ended before the date is not of it.
    select array_agg((r.upper - r.lower) / 2) filter (where r.upper - r.lower is not null) as half_widths
    from (values (n.date, n.score), (w.date_28d, w.score_28d)) as o (date, score)
    cross join lateral (
      select r.score, r.lower, r.upper from bi_map.rank2_version as r
      where r.account = :account and r.client_id = n.client_id and r.until >= o.date
        and coalesce(r.date, (r.measured_at at time zone 'UTC')::date, r.from_date) = o.date
      order by r.until desc, r.from_date desc, r.record_key limit 1
    ) as r
    where r.score = o.score
  ) as s
  cross join lateral (
    with recursive step as (
      select 0 as place, w.date_28d as date, w.score_28d as score, null::numeric as change
      union all
      select s.place + 1, p.date, p.score, s.score - p.score
      from step as s
      cross join lateral (
        select p.date, p.score from point as p
        where p.account = :account and p.client_id = n.client_id and p.method = n.method and p.excluded_reason is null
          and p.date between bi.compared_since(s.date, 28) and s.date - 28
        order by p.date desc, p.source_rank, p.measured_at desc nulls last, p.score, p.position, p.dimensions limit 1
      ) as p
      -- A year of them.
      where s.place < 13
    )
    select array_agg(change) filter (where change is not null) as changes from step
  ) as e
)
select client_id, method, date, score::float8 as score, score_7d::float8 as score_7d,
  score_28d::float8 as score_28d, round(usual_change, 4)::float8 as usual_change,
  case when abs(score - score_28d) < usual_change then 'usual' when score - score_28d >= usual_change then 'rose'
    when score - score_28d <= -usual_change then 'fell' end as direction
from compared
where score is not null
order by client_id
