-- Every point of the AI Rank from every route, with the reason why it is no part of a trend.
-- An unchanged snapshot without a date of its own stands for each of its run dates.
-- Of a client that left, histories count as they were when it did, until they are read again.
create or replace view bi_map.rank_point as
with gone as materialized (
  select account, client_id, unnest(absence) as away from bi_map.client_absence
), point as (
  select account, client_id, coalesce(date, (measured_at at time zone 'UTC')::date) as date, measured_at, method, score, comparable,
    kind, reasons, position, dimensions, 'visibility' as source, 1 as source_rank
  from bi_map.visibility_now_version where date is not null or measured_at is not null
  union all
  select account, client_id, run_date, measured_at, method, score, comparable, kind, reasons, position, dimensions, 'visibility', 1
  from bi_map.visibility_now_daily where date is null and measured_at is null
  union all
  -- The other method beside the main one. It is as comparable as the whole where it is of the same date; else that is unknown.
  select account, client_id, coalesce(v1_date, date, from_date), null, 'v1', v1_score,
    coalesce(v1_comparable, case when v1_date is null or v1_date = date then comparable end), kind, reasons, null, null, 'visibility', 2
  from bi_map.visibility_now_version where v1_score is not null and coalesce(lower(method), '') <> 'v1'
  union all
  select account, client_id, coalesce(v2_date, date, from_date), null, 'v2', v2_score,
    coalesce(v2_comparable, case when v2_date is null or v2_date = date then comparable end), kind, reasons, null, null, 'visibility', 2
  from bi_map.visibility_now_version where v2_score is not null and coalesce(lower(method), '') <> 'v2'
  union all
  select account, client_id, coalesce(date, (measured_at at time zone 'UTC')::date), measured_at, method, score, comparable,
    kind, reasons, position, dimensions, 'airank', 3
  from bi_map.rank_now_version where date is not null or measured_at is not null
  union all
  select account, client_id, run_date, measured_at, method, score, comparable, kind, reasons, position, dimensions, 'airank', 3
  from bi_map.rank_now_daily where date is null and measured_at is null
  union all
  select account, client_id, coalesce(date, (measured_at at time zone 'UTC')::date), measured_at, method, score, comparable,
    kind, reasons, position, dimensions, 'visibility_history', 4
  from bi_map.visibility_history
  union all
  select g.account, g.client_id, coalesce(v.date, (v.measured_at at time zone 'UTC')::date), v.measured_at, v.method, v.score, v.comparable,
    v.kind, v.reasons, v.position, v.dimensions, 'visibility_history', 4
  from gone as g
  join sync.newest as n on n.stream = 'visibility_history' and n.account = g.account and n.client_id in (g.client_id, '')
    and g.away @> n.run_date
  cross join lateral (
    select * from bi_map.visibility_history_version as v
    where v.account = g.account and v.slice_client_id = n.client_id and v.client_id = g.client_id
      and v.until >= lower(g.away) and v.until < 'infinity'
    offset 0
  ) as v
  union all
  select account, client_id, coalesce(date, (measured_at at time zone 'UTC')::date), measured_at, method, score, comparable,
    kind, reasons, position, dimensions, 'airank_history', 5
  from bi_map.rank_history
  union all
  select g.account, g.client_id, coalesce(v.date, (v.measured_at at time zone 'UTC')::date), v.measured_at, v.method, v.score, v.comparable,
    v.kind, v.reasons, v.position, v.dimensions, 'airank_history', 5
  from gone as g
  join sync.newest as n on n.stream = 'airank_history' and n.account = g.account and n.client_id in (g.client_id, '')
    and g.away @> n.run_date
  cross join lateral (
    select * from bi_map.rank_history_version as v
    where v.account = g.account and v.slice_client_id = n.client_id and v.client_id = g.client_id
      and v.until >= lower(g.away) and v.until < 'infinity'
    offset 0
  ) as v
)
select account, client_id, date, measured_at, sync.method_name(method) as method, score, comparable, reasons, position, dimensions,
  source, source_rank,
  case
    when sync.is_one_off(kind, reasons) then 'one_off'
    when comparable is false then 'not_comparable'
    when comparable is null then 'comparability_unknown'
    when sync.method_name(method) is null then 'method_unknown'
    when date is null then 'date_unknown'
    when score is null then 'score_missing'
  end as excluded_reason
from point;

-- One comparable point a client, date and method: the official route before the other, snapshots before histories.
create or replace view bi_map.rank_series_live as
select distinct on (account, client_id, date, method)
  account, client_id, date, method, score, position, dimensions, source
from bi_map.rank_point
where excluded_reason is null
-- The last ones only so that equal points always give the same one.
order by account, client_id, date, method, source_rank, measured_at desc nulls last, score, position, dimensions;

-- Whose points bi_map.rank_kept may lack: those of a client, or of every client of an account ('').
create or replace view bi_map.rank_behind as
select distinct account, client_id from sync.newest
where stream in ('airank', 'airank_history', 'visibility', 'visibility_history') and not is_kept;

-- The same points, of clients whose points are behind: read from the routes.
create or replace view bi_map.rank_series_behind as
select b.account, b.client_id, p.date, p.method, p.score, p.position, p.dimensions, p.source
from bi_map.rank_behind as b
cross join lateral (
  select * from bi_map.rank_series_live as l where l.account = b.account and l.client_id = b.client_id offset 0
) as p
where b.client_id <> ''
  and not exists (select from bi_map.rank_behind as w where w.account = b.account and w.client_id = '')
union all
select b.account, p.client_id, p.date, p.method, p.score, p.position, p.dimensions, p.source
from bi_map.rank_behind as b
cross join lateral (select * from bi_map.rank_series_live as l where l.account = b.account offset 0) as p
where b.client_id = '';

-- Through a function, because planning to read the routes takes far longer than to find that nothing is behind.
-- It reads as its owner, as a view does.
create or replace function bi_map.rank_points_behind() returns table (
  account text, client_id text, date date, method text, score numeric, "position" numeric, dimensions jsonb, source text
)
  language plpgsql stable security definer rows 100
  set search_path = pg_catalog
  as $$
begin
  if exists (select from bi_map.rank_behind) then
    return query select b.* from bi_map.rank_series_behind as b;
  end if;
end
$$;

create or replace view bi_map.rank_series as
select k.account, k.client_id, k.date, k.method, k.score, k.position, k.dimensions, k.source
from bi_map.rank_kept as k
where not exists (
  select from bi_map.rank_behind as b where b.account = k.account and b.client_id in (k.client_id, '')
)
union all
select account, client_id, date, method, score, position, dimensions, source from bi_map.rank_points_behind();

-- The points that are in no trend. Equal points may be several rows.
create or replace view bi_map.rank_excluded_live as
select account, client_id, date, method, score, excluded_reason, reasons, source
from bi_map.rank_point
where excluded_reason is not null;

-- The same points, of clients whose points are behind: read from the routes.
create or replace view bi_map.rank_excluded_behind as
select b.account, b.client_id, p.date, p.method, p.score, p.excluded_reason, p.reasons, p.source
from bi_map.rank_behind as b
cross join lateral (
  select * from bi_map.rank_excluded_live as l where l.account = b.account and l.client_id = b.client_id offset 0
) as p
where b.client_id <> ''
  and not exists (select from bi_map.rank_behind as w where w.account = b.account and w.client_id = '')
union all
select b.account, p.client_id, p.date, p.method, p.score, p.excluded_reason, p.reasons, p.source
from bi_map.rank_behind as b
cross join lateral (select * from bi_map.rank_excluded_live as l where l.account = b.account offset 0) as p
where b.client_id = '';

-- Through a function, as rank_points_behind.
create or replace function bi_map.rank_excluded_points_behind() returns table (
  account text, client_id text, date date, method text, score numeric, excluded_reason text, reasons text, source text
)
  language plpgsql stable security definer rows 100
  set search_path = pg_catalog
  as $$
begin
  if exists (select from bi_map.rank_behind) then
    return query select b.* from bi_map.rank_excluded_behind as b;
  end if;
end
$$;

create or replace view bi_map.rank_excluded as
select k.account, k.client_id, k.date, k.method, k.score, k.excluded_reason, k.reasons, k.source
from bi_map.rank_excluded_kept as k
where not exists (
  select from bi_map.rank_behind as b where b.account = k.account and b.client_id in (k.client_id, '')
)
union all
select account, client_id, date, method, score, excluded_reason, reasons, source from bi_map.rank_excluded_points_behind();

-- The newest point of every series and the ones it is compared with. No difference crosses methods.
-- Of kept series each of these points is found through the index.
create or replace view bi_map.rank_latest as
with recursive series as (
  (select account, client_id, method from bi_map.rank_kept order by account, client_id, method limit 1)
  union all
  select n.account, n.client_id, n.method
  from series as s
  cross join lateral (
    select k.account, k.client_id, k.method from bi_map.rank_kept as k
    where (k.account, k.client_id, k.method) > (s.account, s.client_id, s.method)
    order by k.account, k.client_id, k.method limit 1
  ) as n
), placed as (
  select account, client_id, date, method, score, source,
    max(date) over (partition by account, client_id, method) as last_date,
    row_number() over (partition by account, client_id, method order by date desc) as place
  from bi_map.rank_points_behind()
), latest as (
  select s.account, s.client_id, s.method, l.date, l.score, l.source,
    p.date as previous_date, p.score as previous_score, w.score as score_7d, m.score as score_28d
  from series as s
  cross join lateral (
    select k.date, k.score, k.source from bi_map.rank_kept as k
    where k.account = s.account and k.client_id = s.client_id and k.method = s.method
    order by k.date desc limit 1
  ) as l
  left join lateral (
    select k.date, k.score from bi_map.rank_kept as k
    where k.account = s.account and k.client_id = s.client_id and k.method = s.method and k.date < l.date
    order by k.date desc limit 1
  ) as p on true
  left join lateral (
    select k.score from bi_map.rank_kept as k
    where k.account = s.account and k.client_id = s.client_id and k.method = s.method
      and k.date between l.date - 13 and l.date - 7
    order by k.date desc limit 1
  ) as w on true
  left join lateral (
    select k.score from bi_map.rank_kept as k
    where k.account = s.account and k.client_id = s.client_id and k.method = s.method
      and k.date between l.date - 41 and l.date - 28
    order by k.date desc limit 1
  ) as m on true
  where not exists (
    select from bi_map.rank_behind as b where b.account = s.account and b.client_id in (s.client_id, '')
  )
  union all
  select account, client_id, method, max(date) as date,
    max(score) filter (where place = 1) as score, max(source) filter (where place = 1) as source,
    max(date) filter (where place = 2) as previous_date, max(score) filter (where place = 2) as previous_score,
    (array_agg(score order by date desc) filter (where date between last_date - 13 and last_date - 7))[1] as score_7d,
    (array_agg(score order by date desc) filter (where date between last_date - 41 and last_date - 28))[1] as score_28d
  from placed
  group by account, client_id, method
)
select *, score - previous_score as change_previous, score - score_7d as change_7d, score - score_28d as change_28d,
  method = first_value(method) over (partition by account, client_id order by date desc, method desc) as is_current_method
from latest;

-- Nothing reads it.
drop view if exists bi_map.rank_recent;

-- Read by other rules than before, the kept points may be others.
delete from bi_map.rank_kept;
delete from bi_map.rank_excluded_kept;
update sync.newest set kept_date = null, kept_at = null
where stream in ('airank', 'airank_history', 'visibility', 'visibility_history') and kept_at is not null;
