-- Revenue by period, currency and channel, by the newest word on each period: those of the year until the last date, and
-- those of which no days are known.
select r.period_start_date, r.period_end_date, r.period, r.currency_code, r.channel, r.revenue_amount, r.order_count, r.session_count,
  r.as_of_date, sum(r.revenue_amount) over (partition by r.currency_code, r.period_start_date, r.period) as total_amount
from bi.revenue_by_period as r
where r.account = :account and r.client_id = :client_id
  and (r.period_end_date < :to - 365 or r.period_start_date > :to) is not true
order by r.currency_code, r.period_start_date nulls first, r.period, r.channel
