-- row: a client, channel, currency and period
-- question: What did engines bring in, period by period? By the newest word on each; a bar a month is a sum. Amounts of different currencies are never added.
-- group: business
-- line: the same by period, by the newest word on each
-- time: period_start_date
create or replace view bi.revenue_by_period as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.period_start as period_start_date, -- First day of the period; empty where the API gives none. Of periods that overlap the last one stands here. <- revenue.period_start
  x.period_end as period_end_date, -- Last day of the period, so far where it goes on. <- revenue.period_end
  x.period, -- Period as the API words it, or its days. <- revenue.period
  x.channel, -- Channel as the API words it. <- revenue.channel
  x.currency as currency_code, -- Currency of the amount. Only amounts of one currency may be added. <- revenue.currency
  x.amount as revenue_amount, -- Revenue in that currency and period; empty where no currency is known. <- revenue.amount and revenue.currency
  x.orders as order_count, -- Number of orders in the period. <- revenue.orders
  x.sessions as session_count, -- Number of sessions in the period. <- revenue.sessions
  x.as_of as as_of_date -- Date that the API says the figures are of or were read on. <- revenue.as_of
from (
  select account, client_id, period_start, max(period_end) as period_end, period, channel, currency,
    case when currency is not null then sum(amount) end as amount, sum(orders)::bigint as orders, sum(sessions)::bigint as sessions,
    max(as_of) as as_of,
    min(period_start) over (partition by account, client_id order by period_start groups between 1 following and 1 following) as next_start
  from (
    select account, client_id, period_start, period_end, period, channel, upper(currency) as currency, amount, orders, sessions, as_of,
      -- Records that were gone before the last run date with the period are not its newest word.
      rank() over (partition by account, client_id, period_start, period order by until desc) as word
    from bi_map.revenue_version
  ) as v
  where word = 1
  group by account, client_id, period_start, period, channel, currency
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.next_start < x.period_end) is not true and (x.period_start >= c.left_on) is not true;
