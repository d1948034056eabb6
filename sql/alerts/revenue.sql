-- Revenue by currency on the newest run date until the date, and on the same day of the month before: whether the API
-- counts from the first of a month or over the last weeks, these two can be compared.
with days as materialized (
  select client_id, currency_code, run_date, sum(revenue_amount) as amount
  from bi_history.revenue
  where account = :account and client_id = any(:clients) and run_date between :date - 50 and :date
    and currency_code is not null and revenue_amount is not null
  group by client_id, currency_code, run_date
), newest as (
  select distinct on (client_id, currency_code) * from days
  where run_date > :date - 7
  order by client_id, currency_code, run_date desc
)
select n.client_id, n.currency_code as currency, n.run_date as date, n.amount::float8 as amount, b.amount::float8 as before_amount
from newest as n
join (
  select distinct on (d.client_id, d.currency_code) d.*
  from newest as n join days as d using (client_id, currency_code)
  -- A day or two earlier will do, but not one of another month.
  where d.run_date between greatest(n.run_date - interval '1 month' - interval '3 days', date_trunc('month', n.run_date - interval '1 month'))
    and n.run_date - interval '1 month'
  order by d.client_id, d.currency_code, d.run_date desc
) as b on b.client_id = n.client_id and b.currency_code = n.currency_code
order by n.client_id, n.currency_code
