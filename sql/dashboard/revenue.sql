-- Revenue by currency and channel as the API said it on each run date; past 180 days the last date of each week.
select x.run_date, x.currency_code, x.channel, x.revenue_amount, x.order_count, x.session_count, x.provenance
from (
  select r.run_date, r.currency_code, r.channel, r.revenue_amount, r.order_count, r.session_count, r.provenance,
    max(r.run_date) over (
      partition by case when :to - :from <= 180 then r.run_date else date_trunc('week', r.run_date)::date end
    ) as shown_date
  from bi.revenue_by_currency_daily as r
  where r.account = :account and r.client_id = :client_id and r.run_date between :from and :to
) as x
where x.run_date = x.shown_date
order by x.run_date, x.currency_code, x.channel
