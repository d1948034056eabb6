-- row: a client
-- question: What is the AI Rank now, how much did it move since the comparable point before, in 7 and in 28 days, and who moved most?
-- newest: date
create or replace view bi.rank_latest as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name,
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
  case when coalesce(x.change_7d, x.change_28d) is not null then
    rank() over (partition by x.account, x.method order by abs(coalesce(x.change_7d, x.change_28d)) desc nulls last)
  end as mover_position -- 1 for the client that moved most in its account and method, over 7 days, else over 28, as direction. [none]
from bi_map.rank_latest as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null
  and not (x.client_id = '' and exists (select from bi_map.account_with_clients as a where a.account = x.account));
