-- Grain: one row a client and date.
-- What does the route rank2 say of the AI Rank, with its interval? Undocumented: it enters no other view.
create or replace view bi.rank2_trend as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.date,
  x.score,
  x.lower as lower_score,
  x.upper as upper_score,
  x.position,
  x.index as index_value
from (
  select distinct on (d.date, v.client_id, v.account) v.account, v.client_id, d.date, v.score, v.lower, v.upper, v.position,
    v.index
  from bi_map.rank2_version as v
  cross join lateral (select coalesce(v.date, (v.measured_at at time zone 'UTC')::date, v.from_date) as date) as d
  -- Of several states of one date the last one counts.
  order by d.date, v.client_id, v.account, v.until desc, v.from_date desc, v.record_key
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.date >= c.left_on) is not true;

comment on view bi.rank2_trend is
  'Grain: one row a client and date. What does the route rank2 say of the AI Rank, with its interval? Undocumented: it enters no other view.';
comment on column bi.rank2_trend.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.rank2_trend.account is 'Account that the data was read with.';
comment on column bi.rank2_trend.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.rank2_trend.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.rank2_trend.date is 'Date of the point; where it tells none, the first run date that showed it.';
comment on column bi.rank2_trend.score is 'Score, 0 to 100.';
comment on column bi.rank2_trend.lower_score is 'Lower end of its interval, 0 to 100.';
comment on column bi.rank2_trend.upper_score is 'Upper end of its interval, 0 to 100.';
comment on column bi.rank2_trend.position is 'Position among the measured brands, 1 the first.';
comment on column bi.rank2_trend.index_value is 'Index beside the score, on the API''s own scale.';
