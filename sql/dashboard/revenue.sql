-- Revenue by currency and channel as the API said it on each run date; past 180 days the last date of each week.
select r.run_date, r.currency_code, r.channel, r.revenue_amount, r.order_count, r.session_count, r.period_start_date,
  r.period_end_date, r.window_days, r.provenance, sum(r.revenue_amount) over of_date as total_amount
from bi_history.revenue as r
where r.account = :account and r.client_id = :client_id and r.run_date between :from and :to
  -- As an array it narrows the dates before records are read for them.
  and (:to - :from <= 180 or r.run_date = any (array(
    select max(h.run_date) from bi_history.freshness as h
    where h.account = :account and h.client_id in ('', :client_id) and h.stream = 'revenue' and h.is_complete
      and h.run_date between :from and :to
    group by date_trunc('week', h.run_date)
  )))
window of_date as (partition by r.run_date, r.currency_code)
order by r.run_date, r.currency_code, r.channel
