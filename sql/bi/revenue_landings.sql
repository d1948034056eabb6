-- row: a client, landing page, currency and period, as it is now
-- question: Which pages bring revenue from engines? Amounts of different currencies are never added.
-- group: business
-- history: revenue_landings
create or replace view bi.revenue_landings as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.landing as landing_url, -- Page that sessions begin on. <- revenue_landings.landing
  x.currency as currency_code, -- Currency of the amount. Only amounts of one currency may be added. <- revenue_landings.currency
  x.amount as revenue_amount, -- Revenue in that currency and period; empty where no currency is known. <- revenue_landings.amount and revenue_landings.currency
  x.orders as order_count, -- Number of orders. <- revenue_landings.orders
  x.sessions as session_count, -- Number of sessions. <- revenue_landings.sessions
  x.run_date,
  x.period_start as period_start_date, -- First day of the period. <- revenue_landings.period_start
  x.period_end as period_end_date, -- Last day of the period. <- revenue_landings.period_end
  x.period, -- Period as the API words it, or its days. <- revenue_landings.period
  coalesce(x.period_end - x.period_start + 1, sync.days_in(x.period)) as window_days -- Number of days in the period; empty where the API does not say it. <- (revenue_landings.period_start and revenue_landings.period_end) or revenue_landings.period
from (
  select account, client_id, run_date, next_date, landing, upper(currency) as currency, period_start, period_end, period,
    case when upper(currency) is not null then sum(amount) end as amount,
    sum(orders)::bigint as orders, sum(sessions)::bigint as sessions
  from bi_map.revenue_landings
  where landing is not null
  group by account, client_id, run_date, next_date, landing, upper(currency), period_start, period_end, period
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
