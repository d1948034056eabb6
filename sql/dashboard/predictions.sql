-- The newest prediction made before a date, and the AI Rank that came; past 180 days the last predicted date of each week.
select p.made_date, p.predicted_date, p.method, p.score, p.lower_score, p.upper_score, t.score as observed_score
from (
  select distinct on (case when :to - :from <= 180 then x.predicted_date else date_trunc('week', x.predicted_date)::date end, x.method)
    coalesce(x.made_date, x.run_date) as made_date, x.predicted_date, x.method, x.score, x.lower_score, x.upper_score
  from bi.predictions_daily as x
  where x.account = :account and x.client_id = :client_id and x.predicted_date is not null
    and coalesce(x.made_date, x.run_date) between :from and :to and coalesce(x.made_date, x.run_date) < x.predicted_date
  order by case when :to - :from <= 180 then x.predicted_date else date_trunc('week', x.predicted_date)::date end, x.method,
    x.predicted_date desc, coalesce(x.made_date, x.run_date) desc, x.run_date desc, x.score
) as p
left join (
  select r.date, r.method, r.score
  from bi.rank_trend as r
  where r.account = :account and r.client_id = :client_id and r.date >= :from
) as t on t.date = p.predicted_date and t.method = p.method
order by p.predicted_date, p.method
