-- Grain: one row a client, channel, currency and run date.
-- How much revenue comes from engines? Amounts of different currencies are never added or converted.
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

comment on view bi.revenue_by_currency_daily is
  'Grain: one row a client, channel, currency and run date. How much revenue comes from engines? Amounts of different currencies are never added or converted.';
comment on column bi.revenue_by_currency_daily.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.revenue_by_currency_daily.account is 'Account that the data was read with.';
comment on column bi.revenue_by_currency_daily.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.revenue_by_currency_daily.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.revenue_by_currency_daily.run_date is 'Run date: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.revenue_by_currency_daily.channel is 'Channel as the API words it.';
comment on column bi.revenue_by_currency_daily.currency_code is 'Currency of the amount. Only amounts of one currency may be added.';
comment on column bi.revenue_by_currency_daily.revenue_amount is 'Revenue in that currency, of the period that the API reports; empty where no currency is known.';
comment on column bi.revenue_by_currency_daily.order_count is 'Number of orders.';
comment on column bi.revenue_by_currency_daily.session_count is 'Number of sessions.';
comment on column bi.revenue_by_currency_daily.provenance is 'Where the figures come from.';
comment on column bi.revenue_by_currency_daily.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
