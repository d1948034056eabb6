-- Grain: one row a predicted date and run date.
-- What does the API predict for the AI Rank?
create or replace view bi.predictions_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.date as predicted_date,
  x.run_date,
  x.made as made_date,
  x.score,
  x.lower as lower_score,
  x.upper as upper_score,
  lower(x.method) as method,
  x.horizon_days,
  sync.rate_within(x.confidence) as confidence_rate,
  x.trend,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.predictions_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.predictions_daily is
  'Grain: one row a predicted date and run date. What does the API predict for the AI Rank?';
comment on column bi.predictions_daily.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.predictions_daily.account is 'Account that the data was read with.';
comment on column bi.predictions_daily.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.predictions_daily.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.predictions_daily.predicted_date is 'Date that the prediction is for.';
comment on column bi.predictions_daily.run_date is 'Run date: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.predictions_daily.made_date is 'When the API made the prediction.';
comment on column bi.predictions_daily.score is 'Predicted AI Rank, 0 to 100.';
comment on column bi.predictions_daily.lower_score is 'Lower bound, 0 to 100.';
comment on column bi.predictions_daily.upper_score is 'Upper bound, 0 to 100.';
comment on column bi.predictions_daily.method is 'Method as the API words it.';
comment on column bi.predictions_daily.horizon_days is 'How far the prediction looks, in days.';
comment on column bi.predictions_daily.confidence_rate is 'Confidence that the API states, 0 to 1.';
comment on column bi.predictions_daily.trend is 'Trend as the API words it.';
comment on column bi.predictions_daily.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
