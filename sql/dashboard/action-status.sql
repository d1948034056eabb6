-- How many actions have which status at the end of each week, and on the newest date.
select d.date, h.status, count(*) as action_count
from (
  select max(least(:to, k.date)) as date, min(k.first_date) as first_date
  from (
    select o.run_date as date, null::date as first_date from bi.actions as o
    where o.account = :account and o.client_id = :client_id
    union all
    select greatest(s.from_date, s.until_date), s.from_date from bi.action_status_history as s
    where s.account = :account and s.client_id = :client_id
  ) as k
) as newest
cross join lateral (
  select newest.date
  union
  select g.monday::date + 6
  from generate_series(
    date_trunc('week', greatest(:from, newest.first_date)::timestamp), newest.date::timestamp, interval '7 days'
  ) as g (monday)
  where g.monday::date + 6 <= newest.date
) as d
join bi.action_status_history as h on h.from_date <= d.date and (h.until_date > d.date) is not false
where h.account = :account and h.client_id = :client_id and d.date between :from and :to
group by d.date, h.status
order by d.date, h.status
