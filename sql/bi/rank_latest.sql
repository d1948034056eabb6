-- Grain: one row a client and method.
-- What is the AI Rank now, and how much did it move since the comparable point before, in 7 and in 28 days?
create or replace view bi.rank_latest as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.date,
  x.method,
  x.score,
  x.previous_date,
  x.previous_score,
  x.change_previous,
  x.score_7d,
  x.change_7d,
  x.score_28d,
  x.change_28d,
  x.is_current_method,
  x.source,
  x.date_7d,
  x.date_28d
from bi_map.rank_latest as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.rank_latest is
  'Grain: one row a client and method. What is the AI Rank now, and how much did it move since the comparable point before, in 7 and in 28 days?';
comment on column bi.rank_latest.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.rank_latest.account is 'Account that the data was read with.';
comment on column bi.rank_latest.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.rank_latest.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.rank_latest.date is 'Date of the newest comparable point.';
comment on column bi.rank_latest.method is 'Method version, v1 or v2: no difference crosses them.';
comment on column bi.rank_latest.score is 'AI Rank now, 0 to 100.';
comment on column bi.rank_latest.previous_date is 'Date of the comparable point before.';
comment on column bi.rank_latest.previous_score is 'AI Rank then, 0 to 100.';
comment on column bi.rank_latest.change_previous is 'Difference to the comparable point before, in points, same method.';
comment on column bi.rank_latest.score_7d is 'AI Rank of the newest comparable point that is 7 to 13 days older, 0 to 100.';
comment on column bi.rank_latest.change_7d is 'Difference to the point of date_7d, in points, same method.';
comment on column bi.rank_latest.score_28d is 'AI Rank of the newest comparable point that is 28 to 41 days older, 0 to 100.';
comment on column bi.rank_latest.change_28d is 'Difference to the point of date_28d, in points, same method.';
comment on column bi.rank_latest.is_current_method is 'Whether this is the method of the newest point of the client.';
comment on column bi.rank_latest.source is 'Stream that the point comes from.';
comment on column bi.rank_latest.date_7d is 'Date of the point that change_7d compares with: the newest comparable one that is 7 to 13 days older.';
comment on column bi.rank_latest.date_28d is 'Date of the point that change_28d compares with: the newest comparable one that is 28 to 41 days older.';
