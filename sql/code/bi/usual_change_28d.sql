create or replace function bi.usual_change_28d(dates date[], scores numeric[], lows numeric[], highs numeric[]) returns numeric
  language sql immutable parallel safe
  as $$
    with recursive point as materialized (
      select * from unnest(dates, scores, lows, highs) as p (date, score, low, high) where score is not null
    ), step as (
      (select 0 as place, p.*, null::numeric as change from point as p order by p.date desc limit 1)
      union all
      select s.place + 1, p.*, s.score - p.score
      from step as s
      cross join lateral (
        select * from point as p where p.date between bi.compared_since(s.date, 28) and s.date - 28 order by p.date desc limit 1
      ) as p
      -- A year of changes before the one that is judged.
      where s.place < 14
    )
    select bi.usual_change(
      array_agg((high - low) / 2) filter (where place < 2 and high - low is not null),
      array_agg(change) filter (where place > 1)
    ) from step
  $$;

comment on function bi.usual_change_28d is
  'From which change over 28 days on the newest of these points has moved beyond chance: comparable points of a client and method, with the interval of the service where it states one.';
