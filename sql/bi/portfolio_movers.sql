-- row: a client and method with a comparable point 7 or 28 days earlier
-- question: Which clients moved most?
-- newest: date
create or replace view bi.portfolio_movers as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name,
  x.date, -- Date of the newest comparable point. <- rank.date or rank.measured_at | data
  x.method, -- Method version, v1 or v2: no difference crosses them. <- rank.method
  x.score, -- AI Rank now, 0 to 100. <- rank.score
  x.change_7d, -- Difference to the point of date_7d, in points, same method. <- rank.score
  x.change_28d, -- Difference to the point of date_28d, in points, same method. <- rank.score
  case when coalesce(x.change_7d, x.change_28d) > 0 then 'up' when coalesce(x.change_7d, x.change_28d) < 0 then 'down' else 'flat' end as direction, -- up, down or flat, over 7 days, else over 28. <- rank.score
  rank() over (partition by x.account, x.method order by abs(coalesce(x.change_7d, x.change_28d)) desc) as mover_position, -- 1 for the client that moved most in its account and method.
  x.date_7d, -- Date of the point that change_7d compares with: the newest comparable one that is 7 to 13 days older. <- rank.date or rank.measured_at | data
  x.date_28d -- Date of the point that change_28d compares with: the newest comparable one that is 28 to 41 days older. <- rank.date or rank.measured_at | data
from bi_map.rank_latest as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null and x.is_current_method and coalesce(x.change_7d, x.change_28d) is not null;
