-- The AI Rank of each client by date, in the method of its newest point. Past 90 days the last point of each week is
-- read, past 400 days that of each four weeks, and of each client its first point. A client without a point on the last
-- date has a row of that date without a score, so that nobody is missing.
with step as (
  select case when :to - :from <= 90 then 1 when :to - :from <= 400 then 7 else 28 end as days
), anchor as materialized (
  -- The newest day with points: where nothing is measured on Sundays, most have one a week before it too.
  select coalesce(max(t.date), :to) as date
  from bi.rank_trend as t
  where t.account = :account and t.date between greatest(:from, :to - 6) and :to
), bucket as materialized (
  select d::date as last_date, greatest(:from, d::date - s.days + 1) as first_date,
    row_number() over (order by d) as place
  from step as s
  cross join anchor as a
  cross join lateral generate_series(a.date::timestamp, :from::timestamp, make_interval(days => -s.days)) as d
), present as materialized (
  select c.client_key, c.client_id, coalesce(c.client_name, c.client_id) as client_name
  from bi.clients as c
  where c.account = :account and c.left_on is null
    -- An account without clients is its own.
    and (not c.is_account or not exists (select from bi.clients as o where o.account = :account and not o.is_account))
), on_last as materialized (
  select t.client_id, t.date, t.method, t.method_score as score
  from bi.rank_trend as t
  where t.account = :account and t.date = any (array(select last_date from bucket))
), missing as (
  -- Buckets in a row are read at once: before its first point a client has many without one.
  select m.client_id, min(m.first_date) as first_date, max(m.last_date) as last_date
  from (
    select p.client_id, b.first_date, b.last_date,
      b.place - row_number() over (partition by p.client_id order by b.place) as stretch
    from present as p
    cross join bucket as b
    where b.first_date < b.last_date
      and not exists (select from on_last as o where o.client_id = p.client_id and o.date = b.last_date)
  ) as m
  group by m.client_id, m.stretch
), points as materialized (
  select client_id, date, method, score from on_last
  union all
  -- Only who has no point on the last day: most have one, and those who do not have few.
  select m.client_id, t.date, t.method, t.score
  from missing as m
  cross join lateral (
    select distinct on (t.method, b.place) t.date, t.method, t.method_score as score
    from bi.rank_trend as t
    join bucket as b on t.date between b.first_date and b.last_date
    where t.account = :account and t.client_id = m.client_id and t.date between m.first_date and m.last_date
    order by t.method, b.place, t.date desc
  ) as t
), current as materialized (
  select distinct on (client_id) client_id, method from points order by client_id, date desc, method desc
), series as materialized (
  select p.client_id, p.date, p.method, p.score
  from points as p join current as c on c.client_id = p.client_id and c.method = p.method
), begun as (
  select s.client_id, s.method, min(s.date) as date from series as s group by s.client_id, s.method
), shown as materialized (
  select client_id, date, method, score from series
  union
  select b.client_id, f.date, b.method, f.score
  from begun as b
  join bucket as u on b.date between u.first_date and u.last_date
  cross join lateral (
    select t.date, t.method_score as score
    from bi.rank_trend as t
    where t.account = :account and t.client_id = b.client_id and t.method = b.method
      and t.date between u.first_date and b.date
    order by t.date limit 1
  ) as f
)
select p.client_name, s.date, s.score, s.method, p.client_key
from present as p
join (
  select client_id, date, method, score from shown
  union all
  select client_id, :to, null, null from present
  where client_id not in (select client_id from shown where date = :to)
) as s on s.client_id = p.client_id
order by lower(p.client_name), p.client_key, s.date
