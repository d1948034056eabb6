/*
row: a predicted date and run date
question: What does the API predict for the AI Rank?
time: run_date
also: client, is_latest
  predicted_date: Date that the prediction is for. <- predictions.date
  run_date: Run date: one row a day with a complete snapshot, other days are gaps.
  made_date: When the API made the prediction. <- predictions.made
  score: Predicted AI Rank, 0 to 100. <- predictions.score
  lower_score: Lower bound, 0 to 100. <- predictions.lower
  upper_score: Upper bound, 0 to 100. <- predictions.upper
  method: Method as the API words it. <- predictions.method
  horizon_days: How far the prediction looks, in days. <- predictions.horizon_days
  confidence_rate: Confidence that the API states, 0 to 1. <- predictions.confidence
  trend: Trend as the API words it. <- predictions.trend
*/
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
