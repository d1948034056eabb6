-- Grain: one row a run date and predicted date.
-- What does the API predict for the AI Rank?
create or replace view bi.predictions as
select
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.date as predicted_date,
  x.score,
  x.lower as lower_score,
  x.upper as upper_score,
  x.made as made_date,
  lower(x.method) as method,
  x.horizon_days,
  x.confidence,
  x.trend,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.predictions_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.predictions is
  'Grain: one row a run date and predicted date. What does the API predict for the AI Rank?';
comment on column bi.predictions.account is 'Account that the data was read with.';
comment on column bi.predictions.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.predictions.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.predictions.run_date is 'The logical day of the data: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.predictions.predicted_date is 'Date that the prediction is for.';
comment on column bi.predictions.score is 'Predicted AI Rank.';
comment on column bi.predictions.lower_score is 'Lower bound.';
comment on column bi.predictions.upper_score is 'Upper bound.';
comment on column bi.predictions.made_date is 'When the API made the prediction.';
comment on column bi.predictions.method is 'Method as the API words it.';
comment on column bi.predictions.horizon_days is 'How far the prediction looks.';
comment on column bi.predictions.confidence is 'Confidence that the API states.';
comment on column bi.predictions.trend is 'Trend as the API words it.';
comment on column bi.predictions.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
