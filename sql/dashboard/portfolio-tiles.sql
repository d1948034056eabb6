-- The AI Rank of each client by date, in the method of its newest point. Past 90 days one date a week is read, past
-- 400 days one in four weeks, and of each client its first and its last point. A client without a point on the last
-- date has a row of that date without a score, so that nobody is missing.
with sampled as materialized (
  select d::date as date
  from generate_series(
    :to::timestamp, :from::timestamp,
    case when :to - :from <= 90 then interval '-1 day' when :to - :from <= 400 then interval '-7 days' else interval '-28 days' end
  ) as d
), points as materialized (
  select t.client_id, t.date, t.method, t.score
  from bi.rank_trend as t
  where t.account = :account and t.client_id <> '' and t.date = any (array(
    select date from sampled
    union
    select d::date from generate_series(:from::timestamp, least(:to, :from + 13)::timestamp, interval '1 day') as d
    union
    select d::date from generate_series(greatest(:from, :to - 13)::timestamp, :to::timestamp, interval '1 day') as d
  ))
), current as (
  select
    points.*,
    first_value(method) over (partition by client_id order by date desc, method desc) as current_method
  from points
), numbered as (
  select
    client_id, date, method, score,
    row_number() over (partition by client_id order by date) as from_first,
    row_number() over (partition by client_id order by date desc) as from_last
  from current
  where method = current_method
), shown as materialized (
  select client_id, date, method, score
  from numbered
  where from_first = 1 or from_last = 1 or date in (select date from sampled)
), present as materialized (
  select c.client_key, c.client_id, coalesce(c.client_name, c.client_id) as client_name
  from bi.clients as c
  where c.account = :account and not c.is_account and c.left_on is null
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
