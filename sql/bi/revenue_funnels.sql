-- row: a client, as it is now
-- question: How many visits from engines become orders?
-- group: business
-- history: revenue_funnel
create or replace view bi.revenue_funnels as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.sessions as session_count, -- Number of sessions. <- revenue_funnel.sessions
  x.carts as cart_count, -- Number of carts. <- revenue_funnel.carts
  x.orders as order_count, -- Number of orders. <- revenue_funnel.orders
  x.run_date,
  x.period_start as period_start_date, -- First day of the period. <- revenue_funnel.period_start
  x.period_end as period_end_date, -- Last day of the period. <- revenue_funnel.period_end
  x.period, -- Period as the API words it, or its days. <- revenue_funnel.period
  coalesce(x.period_end - x.period_start + 1, sync.days_in(x.period)) as window_days -- Number of days in the period; empty where the API does not say it. <- (revenue_funnel.period_start and revenue_funnel.period_end) or revenue_funnel.period
from bi_map.revenue_funnel as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where coalesce(x.sessions, x.carts, x.orders) is not null and c.left_on is null;
