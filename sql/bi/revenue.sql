-- row: a client, channel, currency and period, as it is now
-- question: How much revenue comes from engines in the period that the API shows now? Earlier ones are in bi_history. Amounts of different currencies are never added or converted.
-- group: business
-- line: revenue from engines, by channel and currency
-- history: revenue
create or replace view bi.revenue as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.channel, -- Channel as the API words it. <- revenue.channel
  x.currency as currency_code, -- Currency of the amount. Only amounts of one currency may be added. <- revenue.currency
  x.amount as revenue_amount, -- Revenue in that currency and period; empty where no currency is known. <- revenue.amount and revenue.currency
  x.orders as order_count, -- Number of orders. <- revenue.orders
  x.sessions as session_count, -- Number of sessions. <- revenue.sessions
  x.provenance, -- Where the figures come from. <- revenue.provenance
  x.run_date,
  x.period_start as period_start_date, -- First day of the period. <- revenue.period_start
  x.period_end as period_end_date, -- Last day of the period. <- revenue.period_end
  x.period, -- Period as the API words it, or its days. <- revenue.period
  coalesce(x.period_end - x.period_start + 1, sync.days_in(x.period), (select w.days from bi_map.named_window as w where w.source = 'revenue' and w.field = 'amount')) as window_days, -- Number of days in the period; empty where the API does not say it. <- (revenue.period_start and revenue.period_end) or revenue.period
  x.as_of as as_of_date -- Date that the API says the figures are of or were read on. <- revenue.as_of
from (
  select account, client_id, run_date, next_date, channel, upper(currency) as currency, period_start, period_end, period,
    -- Amounts without a currency are not added: they may be of different ones.
    case when upper(currency) is not null then sum(amount) end as amount,
    sum(orders)::bigint as orders, sum(sessions)::bigint as sessions, string_agg(distinct provenance, ', ') as provenance, max(as_of) as as_of
  from bi_map.revenue
  group by account, client_id, run_date, next_date, channel, upper(currency), period_start, period_end, period
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
