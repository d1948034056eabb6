-- row: a client, as it is now
-- question: How many visits from engines become orders?
-- history: revenue_funnel
create or replace view bi.revenue_funnels as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name,
  x.sessions as session_count, -- Number of sessions. <- revenue_funnel.sessions
  x.carts as cart_count, -- Number of carts. <- revenue_funnel.carts
  x.orders as order_count, -- Number of orders. <- revenue_funnel.orders
  x.run_date
from bi_map.revenue_funnel as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where coalesce(x.sessions, x.carts, x.orders) is not null and c.left_on is null;
