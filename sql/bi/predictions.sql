-- row: a predicted date, as it is now
-- question: What does the API predict for the AI Rank, and what came of it?
-- group: visible
-- history: predictions
create or replace view bi.predictions as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country, x.date as predicted_date, -- Date that the prediction is for. <- predictions.date
  x.made as made_date, -- When the API made the prediction. <- predictions.made
  x.score, -- Predicted AI Rank, 0 to 100. <- predictions.score
  x.lower as lower_score, -- Lower bound, 0 to 100. <- predictions.lower
  x.upper as upper_score, -- Upper bound, 0 to 100. <- predictions.upper
  lower(x.method) as method, -- Method as the API words it. <- predictions.method
  coalesce(x.date - coalesce(x.made, x.from_date), x.horizon_days)::bigint as horizon_days, -- How far ahead the date is of when it was predicted, in days. <- predictions.date or predictions.horizon_days
  sync.rate_within(x.confidence) as confidence_rate, -- Confidence that the API states, 0 to 1. <- predictions.confidence
  x.trend, -- Trend as the API words it. <- predictions.trend
  x.run_date,
  o.date as observed_date, -- Date of the newest comparable point of the method until then, at most six days before; empty until the predicted date has come. <- rank.date or rank.measured_at | data
  o.score as observed_score, -- What came: the AI Rank of that point, 0 to 100. <- rank.score
  o.score - x.score as observed_difference -- What came less what was predicted, in points. [mean] <- rank.score and predictions.score
from bi_map.predictions as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
left join lateral (
  select p.date, p.score from bi_map.rank_series as p
  where p.account = x.account and p.client_id = x.client_id
    and p.date between greatest(x.date - 6, coalesce(x.made, x.from_date) + 1) and x.date
    -- A name that is no method of the AI Rank is that of the forecast.
    and (p.method = sync.method_name(x.method) or coalesce(sync.method_name(x.method), '') not in ('v1', 'v2'))
    -- The date has come when the AI Rank was read on it or later.
    and exists (
      select from sync.newest as n
      where n.stream in ('airank', 'airank_history', 'visibility', 'visibility_history')
        and n.account = x.account and n.client_id in ('', x.client_id) and n.run_date >= x.date
    )
  order by p.date desc, p.method desc limit 1
) as o on true
where c.left_on is null;
