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
  select account, client_id, unnest(absence) as away from bi_map.client_absence
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
-- Where that one has no position, another route's of the same point counts.
create or replace view bi_map.rank_series as
select distinct on (date, client_id, account, method)
  account, client_id, date, method, score,
  coalesce(position, min(position) over (partition by date, client_id, account, method)) as position, dimensions, source
from bi_map.rank_point
where excluded_reason is null
-- Columns that are quick to compare and differ most come first; the account, which hardly ever differs, comes late.
-- The last ones only make sure that of equal points the same one is always taken.
order by date, client_id, account, method, source_rank, measured_at desc nulls last, score, position, dimensions;

-- The points that are in no trend. Equal points may be several rows.
create or replace view bi_map.rank_excluded as
select account, client_id, date, method, score, excluded_reason, reasons, source
from bi_map.rank_point
where excluded_reason is not null;

-- The newest point of every series and the points it is compared with, of current clients. No difference crosses
-- methods. Series and their points are found through the index: each limit ends its search early.
create or replace view bi_map.rank_latest as
with recursive series as (
  (
    select account, client_id, method from typed.rank_point where excluded_reason is null
    order by account, client_id, method limit 1
  )
  union all
  select n.account, n.client_id, n.method
  from series as s
  cross join lateral (
    select p.account, p.client_id, p.method from typed.rank_point as p
    where p.excluded_reason is null and (p.account, p.client_id, p.method) > (s.account, s.client_id, s.method)
    order by p.account, p.client_id, p.method limit 1
  ) as n
), latest as (
  select s.account, s.client_id, s.method, l.date, l.score, l.source, o.*
  from series as s
  cross join lateral (
    select date, score, source from (
      (
        select d.* from bi_map.rank_dated as d
        where d.account = s.account and d.client_id = s.client_id and d.method = s.method and d.excluded_reason is null
        order by date desc, source_rank, measured_at desc nulls last, score, position, dimensions limit 1
      )
      union all
      (
        select d.* from bi_map.rank_standing as d
        where d.account = s.account and d.client_id = s.client_id and d.method = s.method and d.excluded_reason is null
        order by date desc, source_rank, measured_at desc nulls last, score, position, dimensions limit 1
      )
    ) as d
    order by date desc, source_rank, measured_at desc nulls last, score, position, dimensions limit 1
  ) as l
  cross join lateral (
    select max(c.date) filter (where w.name = 'previous') as previous_date, max(c.score) filter (where w.name = 'previous') as previous_score,
      max(c.date) filter (where w.name = '7d') as date_7d, max(c.score) filter (where w.name = '7d') as score_7d,
      max(c.date) filter (where w.name = '28d') as date_28d, max(c.score) filter (where w.name = '28d') as score_28d
    from (
      values ('previous', '-infinity'::date, l.date - 1), ('7d', bi.compared_since(l.date, 7), l.date - 7),
        ('28d', bi.compared_since(l.date, 28), l.date - 28)
    )
      as w (name, since, until)
    cross join lateral (
      select date, score from (
        (
          select d.* from bi_map.rank_dated as d
          where d.account = s.account and d.client_id = s.client_id and d.method = s.method and d.excluded_reason is null and d.date between w.since and w.until
          order by date desc, source_rank, measured_at desc nulls last, score, position, dimensions limit 1
        )
        union all
        (
          select d.* from bi_map.rank_standing as d
          where d.account = s.account and d.client_id = s.client_id and d.method = s.method and d.excluded_reason is null and d.date between w.since and w.until
          order by date desc, source_rank, measured_at desc nulls last, score, position, dimensions limit 1
        )
      ) as d
      order by date desc, source_rank, measured_at desc nulls last, score, position, dimensions limit 1
    ) as c
  ) as o
)
select account, client_id, method, date, score, source, previous_date, previous_score, score_7d, score_28d,
  score - previous_score as change_previous, score - score_7d as change_7d, score - score_28d as change_28d,
  method = first_value(method) over (partition by account, client_id order by date desc, method desc) as is_current_method,
  date_7d, date_28d
from latest;
