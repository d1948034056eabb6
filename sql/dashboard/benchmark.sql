-- Percentile by cut of the benchmark and run date; past 180 days the last date of each week.
select b.run_date, b.cut, coalesce(nullif(b.cut_value, '*'), b.cut) as cut_value, b.percentile, b.median_score, b.comparable_brand_count, b.sample_status
from bi_history.benchmark as b
where b.account = :account and b.client_id = :client_id and b.run_date between :from and :to
  -- As an array it narrows the dates before records are read for them.
  and (:to - :from <= 180 or b.run_date = any (array(
    select max(h.run_date) from bi_history.freshness as h
    where h.account = :account and h.client_id in ('', :client_id) and h.stream = 'benchmark' and h.is_complete
      and h.run_date between :from and :to
    group by date_trunc('week', h.run_date)
  )))
order by b.run_date, b.cut, b.cut_value, b.percentile, b.comparable_brand_count
