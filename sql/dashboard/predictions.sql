-- The newest prediction made before a date, and what came of it; past 180 days one date a week.
select p.made_date, p.predicted_date, p.method, p.score, p.lower_score, p.upper_score, p.observed_score
from (
  select distinct on (x.week, x.method) x.made_date, x.predicted_date, x.method, x.score, x.lower_score, x.upper_score, x.observed_score
  from (
    select d.predicted_date, d.method, d.score, d.lower_score, d.upper_score, d.observed_score, d.run_date,
      coalesce(d.made_date, d.run_date) as made_date,
      case when :to - :from <= 180 then d.predicted_date else date_trunc('week', d.predicted_date)::date end as week
    from bi_history.predictions as d
    where d.account = :account and d.client_id = :client_id and d.run_date between :from and :to and d.predicted_date is not null
      -- As an array it narrows the dates before records are read for them.
      and (:to - :from <= 180 or d.run_date = any (array(
        select max(h.run_date) from bi_history.freshness as h
        where h.account = :account and h.client_id in ('', :client_id) and h.stream = 'prediccion' and h.is_complete
          and h.run_date between :from and :to
        group by date_trunc('week', h.run_date)
      )))
  ) as x
  where x.made_date between :from and :to and x.made_date < x.predicted_date
  order by x.week, x.method, x.predicted_date desc, x.made_date desc, x.run_date desc, x.score
) as p
order by p.predicted_date, p.method
