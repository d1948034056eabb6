-- row: a client
-- question: What is the AI Rank now, how much did it move since the comparable point before, in 7 and in 28 days, and who moved most?
-- group: visible
-- line: AI Rank of each client now, and what changed
-- newest: date
create or replace view bi.rank_latest as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.date, -- Date of the newest comparable point. <- rank.date or rank.measured_at | data
  x.method, -- Method version of that point: no difference crosses methods. <- rank.method
  x.score, -- AI Rank now, 0 to 100. <- rank.score
  x.previous_date, -- Date of the comparable point before. <- rank.date or rank.measured_at | data
  x.previous_score, -- AI Rank then, 0 to 100. <- rank.score
  x.change_previous, -- Difference to the comparable point before, in points, same method. <- rank.score
  x.score_7d, -- AI Rank of the newest comparable point that is 7 to 13 days older, 0 to 100. <- rank.score
  x.change_7d, -- Difference to the point of date_7d, in points, same method. <- rank.score
  x.score_28d, -- AI Rank of the newest comparable point that is 28 to 41 days older, 0 to 100. <- rank.score
  x.change_28d, -- Difference to the point of date_28d, in points, same method. <- rank.score
  x.is_current_method, -- True on every row: a client has one row, by its current method. <- rank.method
  x.source, -- Stream that the point comes from.
  x.date_7d, -- Date of the point that change_7d compares with: the newest comparable one that is 7 to 13 days older. <- rank.date or rank.measured_at | data
  x.date_28d, -- Date of the point that change_28d compares with: the newest comparable one that is 28 to 41 days older. <- rank.date or rank.measured_at | data
  case sign(coalesce(x.change_7d, x.change_28d)) when 1 then 'up' when -1 then 'down' when 0 then 'flat' end as direction, -- up, down or flat, over 7 days, else over 28. <- rank.score
  x.mover_position, -- 1 for the client that moved most in its account and method, over 7 days, else over 28, as direction. [none]
  abs(x.change_28d) >= v.usual_change as change_28d_is_clear, -- Whether change_28d is beyond usual_change. Empty: it cannot be judged. <- rank.score
  case when abs(x.change_28d) < v.usual_change then 'usual' when x.change_28d >= v.usual_change then 'rose' when x.change_28d <= -v.usual_change then 'fell' end as change_28d_direction, -- rose or fell where it is clear, usual where it is within the client's usual range; empty where it cannot be judged. [none] <- rank.score
  case when v.usual_change is not null then case when cardinality(s.half_widths) = 2 then 'interval of the service' else 'earlier changes' end end as clear_basis, -- What tells it. interval of the service: rank2 has one at both points. earlier changes: at least seven of the client over 28 days, which do not overlap. <- rank.score
  round(v.usual_change, 4) as usual_change, -- Change over 28 days, in points, from which on it is clear. [mean] <- rank.score
  s.lower as score_low, -- Lower end of the interval that rank2 states for the score, where its score is the same, 0 to 100. <- rank2.score and rank2.lower
  s.upper as score_high -- Upper end of it, 0 to 100. <- rank2.score and rank2.upper
from (
  -- Places first, of all clients: what follows is looked up for those that are asked for.
  select x.*, c.client_name, c.client_sector, c.client_country, case when coalesce(x.change_7d, x.change_28d) is not null then
      rank() over (partition by x.account, x.method order by abs(coalesce(x.change_7d, x.change_28d)) desc nulls last)
    end as mover_position
  from bi_map.rank_latest as x
  left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
  where c.left_on is null
    and not (x.client_id = '' and exists (select from bi_map.account_with_clients as a where a.account = x.account))
) as x
cross join lateral (select x.client_name, x.client_sector, x.client_country) as c
left join lateral (
  select max(r.lower) filter (where w.is_newest) as lower, max(r.upper) filter (where w.is_newest) as upper,
    array_agg((r.upper - r.lower) / 2) filter (where r.upper - r.lower is not null) as half_widths
  from (values (true, x.date, x.score), (false, x.date_28d, x.score_28d)) as w (is_newest, date, score)
  cross join lateral (
    -- A state that ended before the date is not of it.
    select r.score, r.lower, r.upper
    from bi_map.rank2_version as r
    where r.account = x.account and r.client_id = x.client_id and r.until >= w.date
      and coalesce(r.date, (r.measured_at at time zone 'UTC')::date, r.from_date) = w.date
    order by r.until desc, r.from_date desc, r.record_key limit 1
  ) as r
  where r.score = w.score
) as s on true
left join lateral (
  with recursive step as (
    select 0 as place, x.date_28d as date, x.score_28d as score, null::numeric as change
    union all
    select s.place + 1, p.date, p.score, s.score - p.score
    from step as s
    cross join lateral (
      select d.date, d.score from (
        (
          select d.* from bi_map.rank_dated as d
          where d.account = x.account and d.client_id = x.client_id and d.method = x.method and d.excluded_reason is null
            and d.date between bi.compared_since(s.date, 28) and s.date - 28
          order by date desc, source_rank, measured_at desc nulls last, score, position, dimensions limit 1
        )
        union all
        (
          select d.* from bi_map.rank_standing as d
          where d.account = x.account and d.client_id = x.client_id and d.method = x.method and d.excluded_reason is null
            and d.date between bi.compared_since(s.date, 28) and s.date - 28
          order by date desc, source_rank, measured_at desc nulls last, score, position, dimensions limit 1
        )
      ) as d
      order by date desc, source_rank, measured_at desc nulls last, score, position, dimensions limit 1
    ) as p
    -- A year of them.
    where s.place < 13
  )
  select array_agg(change) filter (where change is not null) as changes
  from step
) as e on true
cross join lateral (select bi.usual_change(s.half_widths, e.changes) as usual_change) as v;
