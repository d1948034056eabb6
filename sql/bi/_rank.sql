-- Points with a date of their own. A history shows the present state: a point that is no longer in it is gone.
create or replace view bi_map.rank_dated as
select account, client_id, date, measured_at, method, score, comparable, reasons, position, dimensions, source, source_rank, excluded_reason
from typed.rank_point
where not is_standing and (source_rank <= 3 or until = 'infinity');

-- An unchanged snapshot without a date of its own stands for each of its run dates.
create or replace view bi_map.rank_standing as
select p.account, p.client_id, s.run_date as date, p.measured_at, p.method, p.score, p.comparable, p.reasons, p.position, p.dimensions,
  p.source, p.source_rank, p.excluded_reason
from typed.rank_point as p
join sync.slice as s on s.stream = p.source and s.account = p.account and s.client_id = p.slice_client_id
  and s.completed_at is not null and s.run_date >= p.from_date and s.run_date < p.until
where p.is_standing;

-- Histories of a client that left count as they were when it left, until they are read again.
create or replace view bi_map.rank_of_gone as
with gone as materialized (
  select account, client_id, unnest(absence) as away from sync.client where absence is not null
)
select p.account, p.client_id, p.date, p.measured_at, p.method, p.score, p.comparable, p.reasons, p.position, p.dimensions,
  p.source, p.source_rank, p.excluded_reason
from gone as g
join sync.newest as n on n.stream in ('visibility_history', 'airank_history') and n.account = g.account
  and n.client_id in (g.client_id, '') and g.away @> n.run_date
cross join lateral (
  select * from typed.rank_point as p
  where p.account = g.account and p.source = n.stream and p.slice_client_id = n.client_id and p.client_id = g.client_id
    and p.until >= lower(g.away) and p.until < 'infinity'
  offset 0
) as p;

-- Every point of the AI Rank from every route, with the reason why it is no part of a trend.
create or replace view bi_map.rank_point as
select * from bi_map.rank_dated
union all
select * from bi_map.rank_standing
union all
select * from bi_map.rank_of_gone;

-- One comparable point a client, date and method: the official route before the other, snapshots before histories.
-- A missing position or missing dimensions come from another route's row of the same point.
create or replace view bi_map.rank_series as
select distinct on (date, client_id, account, method)
  account, client_id, date, method, score,
  coalesce(x.position, min(x.position) over point) as position,
  coalesce(x.dimensions, (min(x.dimensions::text) over point)::jsonb) as dimensions, source
from bi_map.rank_point as x
where excluded_reason is null
window point as (partition by date, client_id, account, method)
-- Columns that are quick to compare and differ most come first; the account, which hardly ever differs, comes late.
-- The last ones only make sure that of equal points the same one is always taken: as the point has them, so that no window
-- is computed for a query that asks for neither.
order by date, client_id, account, method, source_rank, measured_at desc nulls last, score, x.position, x.dimensions;

-- The points that are in no trend. Equal points may be several rows.
create or replace view bi_map.rank_excluded as
select account, client_id, date, method, score, excluded_reason, reasons, source
from bi_map.rank_point
where excluded_reason is not null;

-- Finds each client's current method, that of its newest comparable point, and the date of that point. A client that
-- left keeps its last one. One index look-up finds each series and its newest point; the look-ups go account by
-- account, so that a query for one account does not read the others.
create or replace view bi_map.rank_method as
with account as not materialized (select distinct account from sync.newest)
select distinct on (account, client_id) account, client_id, method, date
from (
  select a.account, s.client_id, s.method, s.date, false as is_gone
  from account as a
  cross join lateral (
    with recursive series as (
      (
        select client_id, method, date from typed.rank_point
        where account = a.account and excluded_reason is null and not is_standing and (source_rank <= 3 or until = 'infinity')
        order by client_id, method, date desc limit 1
      )
      union all
      select n.client_id, n.method, n.date
      from series as s
      cross join lateral (
        select p.client_id, p.method, p.date from typed.rank_point as p
        where p.account = a.account and p.excluded_reason is null and not p.is_standing and (p.source_rank <= 3 or p.until = 'infinity')
          and (p.client_id, p.method) > (s.client_id, s.method)
        order by p.client_id, p.method, p.date desc limit 1
      ) as n
    )
    select * from series
  ) as s
  union all
  select a.account, s.client_id, d.method, d.date, false
  from account as a
  cross join lateral (
    with recursive standing as (
      (select client_id from typed.rank_point where account = a.account and is_standing order by client_id limit 1)
      union all
      select n.client_id
      from standing as s
      cross join lateral (
        select p.client_id from typed.rank_point as p
        where p.account = a.account and p.is_standing and p.client_id > s.client_id
        order by p.client_id limit 1
      ) as n
    )
    select * from standing
  ) as s
  cross join lateral (
    select method, date from bi_map.rank_standing as d
    where d.account = a.account and d.client_id = s.client_id and d.excluded_reason is null
    order by date desc, method desc limit 1
  ) as d
  union all
  select a.account, a.client_id, d.method, d.date, true
  from sync.client as a
  cross join lateral (
    select method, date from bi_map.rank_point as d
    where d.account = a.account and d.client_id = a.client_id and d.excluded_reason is null and d.date < a.left_on
    order by date desc, method desc limit 1
  ) as d
  where a.left_on is not null
) as m
order by account, client_id, is_gone desc, date desc, method desc;

-- The newest point of each client and the points that it is compared with: each limit ends its search early.
create or replace view bi_map.rank_latest as
select n.account, n.client_id, n.method, n.date, o.score, o.source, o.previous_date, o.previous_score, o.score_7d, o.score_28d,
  o.score - o.previous_score as change_previous, o.score - o.score_7d as change_7d, o.score - o.score_28d as change_28d,
  true as is_current_method, o.date_7d, o.date_28d
from bi_map.rank_method as n
cross join lateral (
  select max(c.score) filter (where w.name = 'newest') as score, max(c.source) filter (where w.name = 'newest') as source,
    max(c.date) filter (where w.name = 'previous') as previous_date, max(c.score) filter (where w.name = 'previous') as previous_score,
    max(c.date) filter (where w.name = '7d') as date_7d, max(c.score) filter (where w.name = '7d') as score_7d,
    max(c.date) filter (where w.name = '28d') as date_28d, max(c.score) filter (where w.name = '28d') as score_28d
  from (
    values ('newest', n.date, n.date), ('previous', '-infinity'::date, n.date - 1),
      ('7d', bi.compared_since(n.date, 7), n.date - 7), ('28d', bi.compared_since(n.date, 28), n.date - 28)
  )
    as w (name, since, until)
  cross join lateral (
    select date, score, source from (
      (
        select d.* from bi_map.rank_dated as d
        where d.account = n.account and d.client_id = n.client_id and d.method = n.method and d.excluded_reason is null and d.date between w.since and w.until
        order by date desc, source_rank, measured_at desc nulls last, score, position, dimensions limit 1
      )
      union all
      (
        select d.* from bi_map.rank_standing as d
        where d.account = n.account and d.client_id = n.client_id and d.method = n.method and d.excluded_reason is null and d.date between w.since and w.until
        order by date desc, source_rank, measured_at desc nulls last, score, position, dimensions limit 1
      )
    ) as d
    order by date desc, source_rank, measured_at desc nulls last, score, position, dimensions limit 1
  ) as c
) as o;

-- One point of rank2 a client and date. Of several states of one date the last one counts.
create or replace view bi_map.rank2_series as
select distinct on (d.date, v.client_id, v.account) v.account, v.client_id, d.date, v.score, v.lower, v.upper, v.position, v.index
from bi_map.rank2_version as v
cross join lateral (select coalesce(v.date, (v.measured_at at time zone 'UTC')::date, v.from_date) as date) as d
order by d.date, v.client_id, v.account, v.until desc, v.from_date desc, v.record_key;

-- The trend of every client, and of the account itself (is_account) where it lists clients. An average of score or
-- position is one of a single method: they are empty on the points of another. Current methods are looked up once,
-- whatever the planner expects of the points, and only where a column asks for them.
create or replace view bi_map.rank_trend as
with current as materialized (
  select account || '/' || client_id as client_key, method, date from bi_map.rank_method
)
select x.account, x.client_id,
  x.client_id = '' and x.account in (select a.account from bi_map.account_with_clients as a) as is_account,
  x.date, x.method, case when m.method = x.method then x.score end as score, case when m.method = x.method then x.position end as position,
  x.source, m.method = x.method as is_current_method,
  case when m.method = x.method and r.score = x.score then r.lower end as lower,
  case when m.method = x.method and r.score = x.score then r.upper end as upper,
  x.score as method_score, x.position as method_position, x.dimensions, m.method = x.method and m.date = x.date as is_latest
from bi_map.rank_series as x
left join (select distinct on (client_key) * from current) as m on m.client_key = x.account || '/' || x.client_id
left join bi_map.rank2_series as r on r.date = x.date and r.client_id = x.client_id and r.account = x.account;

-- Splits each point of a trend into its dimensions.
create or replace view bi_map.rank_dimension as
select x.account, x.client_id, x.is_account, x.date, x.method, d.dimension,
  case when x.is_current_method then d.score end as score, x.source, x.is_current_method, d.score as method_score, x.is_latest
from bi_map.rank_trend as x
cross join lateral (
  select key as dimension, sync.bi_numeric(case jsonb_typeof(value) when 'object' then
      coalesce(value -> 'puntuacion', value -> 'score', value -> 'valor', value -> 'value') else value end) as score
  from jsonb_each(case jsonb_typeof(x.dimensions) when 'object' then x.dimensions end)
  union all
  select coalesce(e ->> 'dimension', e ->> 'nombre', e ->> 'name', e ->> 'id', e ->> 'clave', sync.name_in(e)),
    coalesce(
      sync.bi_numeric(coalesce(e -> 'puntuacion', e -> 'score', e -> 'valor', e -> 'value')),
      -- The only figure, whatever it is called.
      (select min(sync.bi_numeric(m.value)) from jsonb_each(e) as m having count(sync.bi_numeric(m.value)) = 1)
    )
  from jsonb_array_elements(case jsonb_typeof(x.dimensions) when 'array' then x.dimensions end) as a (e)
  where jsonb_typeof(e) = 'object'
) as d
where d.dimension is not null;
