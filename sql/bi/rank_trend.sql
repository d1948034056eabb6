-- Grain: one row a client, date and method.
-- How did the AI Rank develop? Comparable points only; one-off runs stay out, v1 and v2 are separate series.
create or replace view bi.rank_trend as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.date,
  x.method,
  x.score,
  x.position,
  x.source
from bi_map.rank_series as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.date >= c.left_on) is not true;

comment on view bi.rank_trend is
  'Grain: one row a client, date and method. How did the AI Rank develop? Comparable points only; one-off runs stay out, v1 and v2 are separate series.';
comment on column bi.rank_trend.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.rank_trend.account is 'Account that the data was read with.';
comment on column bi.rank_trend.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.rank_trend.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.rank_trend.date is 'Date of the point.';
comment on column bi.rank_trend.method is 'Method version: v1 and v2 are separate series.';
comment on column bi.rank_trend.score is 'AI Rank, 0 to 100.';
comment on column bi.rank_trend.position is 'Position among the measured brands, 1 the first, as any route gives it for the point.';
comment on column bi.rank_trend.source is 'Stream that the point comes from: visibility or airank, or their history.';
