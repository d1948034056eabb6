-- row: a client, channel and currency, as it is now
-- question: How much revenue comes from engines? Amounts of different currencies are never added or converted.
-- history: revenue
create or replace view bi.revenue as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name,
  x.channel, -- Channel as the API words it. <- revenue.channel
  x.currency as currency_code, -- Currency of the amount. Only amounts of one currency may be added. <- revenue.currency
  x.amount as revenue_amount, -- Revenue in that currency, of the period that the API reports; empty where no currency is known. <- revenue.amount and revenue.currency
  x.orders as order_count, -- Number of orders. <- revenue.orders
  x.sessions as session_count, -- Number of sessions. <- revenue.sessions
  x.provenance, -- Where the figures come from. <- revenue.provenance
  x.run_date
from (
  select account, client_id, run_date, newest_date, channel, upper(currency) as currency,
    -- Amounts without a currency are not added: they may be of different ones.
    case when upper(currency) is not null then sum(amount) end as amount,
    sum(orders)::bigint as orders, sum(sessions)::bigint as sessions, string_agg(distinct provenance, ', ') as provenance
  from bi_map.revenue
  group by account, client_id, run_date, newest_date, channel, upper(currency)
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
