-- row: a client and day
-- question: How does the AI Rank of all clients together develop? Of each its newest comparable point until then, by its current method, so that a mean by day is one of the same clients.
-- group: visible
-- time: date
create or replace view bi.rank_daily as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.date, -- The day, until the newest run date of the account. <- rank.date or rank.measured_at | data
  x.score, -- AI Rank of the newest comparable point until then, 0 to 100. <- rank.score
  x.position, -- Position among the measured brands in that point, 1 the first. <- rank.position
  x.method, -- Its method version, the current one of the client. <- rank.method
  x.point_date -- Its date. <- rank.date or rank.measured_at | data
from (
  with newest as materialized (select account, newest_date from bi_map.account_date)
  select p.account, p.client_id, p.date as point_date, d.date::date as date, p.score, p.position, p.method
  from (
    select account, client_id, date, score, position, method, lead(date) over (partition by account, client_id order by date) as next_date
    from bi_map.rank_trend
    where is_current_method and not is_account
  ) as p
  left join newest as n on n.account = p.account
  cross join lateral generate_series(
    p.date::timestamp, coalesce(p.next_date - 1, greatest(n.newest_date, p.date))::timestamp, interval '1 day'
  ) as d (date)
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.date >= c.left_on) is not true;
