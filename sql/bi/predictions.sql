-- row: a predicted date, as it is now
-- question: What does the API predict for the AI Rank?
-- history: predictions
create or replace view bi.predictions as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, x.date as predicted_date, -- Date that the prediction is for. <- predictions.date
  x.made as made_date, -- When the API made the prediction. <- predictions.made
  x.score, -- Predicted AI Rank, 0 to 100. <- predictions.score
  x.lower as lower_score, -- Lower bound, 0 to 100. <- predictions.lower
  x.upper as upper_score, -- Upper bound, 0 to 100. <- predictions.upper
  lower(x.method) as method, -- Method as the API words it. <- predictions.method
  x.horizon_days, -- How far the prediction looks, in days. <- predictions.horizon_days
  sync.rate_within(x.confidence) as confidence_rate, -- Confidence that the API states, 0 to 1. <- predictions.confidence
  x.trend, -- Trend as the API words it. <- predictions.trend
  x.run_date
from bi_map.predictions as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
