/*
row: a client, channel, currency and run date
question: How much revenue comes from engines? Amounts of different currencies are never added or converted.
time: run_date
also: client, is_latest
  run_date: Run date: one row a day with a complete snapshot, other days are gaps.
  channel: Channel as the API words it. <- revenue.channel
  currency_code: Currency of the amount. Only amounts of one currency may be added. <- revenue.currency
  revenue_amount: Revenue in that currency, of the period that the API reports; empty where no currency is known. <- revenue.amount and revenue.currency
  order_count: Number of orders. <- revenue.orders
  session_count: Number of sessions. <- revenue.sessions
  provenance: Where the figures come from. <- revenue.provenance
*/
create or replace view bi.revenue_by_currency_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.channel,
  x.currency as currency_code,
  x.amount as revenue_amount,
  x.orders as order_count,
  x.sessions as session_count,
  x.provenance,
  x.is_latest and c.left_on is null as is_latest
from (
  select account, client_id, run_date, run_date = newest_date as is_latest, channel, upper(currency) as currency,
    -- Amounts without a currency are not added: they may be of different ones.
    case when upper(currency) is not null then sum(amount) end as amount,
    sum(orders)::bigint as orders, sum(sessions)::bigint as sessions, string_agg(distinct provenance, ', ') as provenance
  from bi_map.revenue_daily
  group by account, client_id, run_date, run_date = newest_date, channel, upper(currency)
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);
