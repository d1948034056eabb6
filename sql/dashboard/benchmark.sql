-- Percentile by cut of the benchmark and run date; past 180 days the last date of each week.
select x.run_date, x.cut, x.cut_value, x.percentile, x.median_score, x.comparable_brand_count, x.sample_status
from (
  select b.run_date, b.cut, b.cut_value, b.percentile, b.median_score, b.comparable_brand_count, b.sample_status,
    max(b.run_date) over (
      partition by case when :to - :from <= 180 then b.run_date else date_trunc('week', b.run_date)::date end
    ) as shown_date
  from bi.benchmark_position_daily as b
  where b.account = :account and b.client_id = :client_id and b.run_date between :from and :to
) as x
where x.run_date = x.shown_date
order by x.run_date, x.cut, x.cut_value, x.percentile, x.comparable_brand_count
