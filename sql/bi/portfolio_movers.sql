-- Grain: one row a client and method with a comparable point 7 or 28 days earlier.
-- Which clients moved most?
create or replace view bi.portfolio_movers as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.date,
  x.method,
  x.score,
  x.change_7d,
  x.change_28d,
  case when coalesce(x.change_7d, x.change_28d) > 0 then 'up' when coalesce(x.change_7d, x.change_28d) < 0 then 'down' else 'flat' end as direction,
  rank() over (partition by x.account, x.method order by abs(coalesce(x.change_7d, x.change_28d)) desc) as mover_position,
  x.date_7d,
  x.date_28d
from bi_map.rank_latest as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null and x.is_current_method and coalesce(x.change_7d, x.change_28d) is not null;

comment on view bi.portfolio_movers is
  'Grain: one row a client and method with a comparable point 7 or 28 days earlier. Which clients moved most?';
comment on column bi.portfolio_movers.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.portfolio_movers.account is 'Account that the data was read with.';
comment on column bi.portfolio_movers.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.portfolio_movers.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.portfolio_movers.date is 'Date of the newest comparable point.';
comment on column bi.portfolio_movers.method is 'Method version, v1 or v2: no difference crosses them.';
comment on column bi.portfolio_movers.score is 'AI Rank now, 0 to 100.';
comment on column bi.portfolio_movers.change_7d is 'Difference to the point of date_7d, in points, same method.';
comment on column bi.portfolio_movers.change_28d is 'Difference to the point of date_28d, in points, same method.';
comment on column bi.portfolio_movers.direction is 'up, down or flat, over 7 days, else over 28.';
comment on column bi.portfolio_movers.mover_position is '1 for the client that moved most in its account and method.';
comment on column bi.portfolio_movers.date_7d is 'Date of the point that change_7d compares with: the newest comparable one that is 7 to 13 days older.';
comment on column bi.portfolio_movers.date_28d is 'Date of the point that change_28d compares with: the newest comparable one that is 28 to 41 days older.';
