-- Grain: one row a client, channel and currency, as it is now.
-- How much revenue comes from engines? Amounts of different currencies are never added or converted.
create or replace view bi.revenue_by_currency as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.channel,
  x.currency as currency_code,
  x.amount as revenue_amount,
  x.orders as order_count,
  x.sessions as session_count,
  x.provenance,
  x.run_date
from (
  select account, client_id, run_date, channel, upper(currency) as currency,
    -- Amounts without a currency are not added: they may be of different ones.
    case when upper(currency) is not null then sum(amount) end as amount,
    sum(orders)::bigint as orders, sum(sessions)::bigint as sessions, string_agg(distinct provenance, ', ') as provenance
  from bi_map.revenue
  group by account, client_id, run_date, channel, upper(currency)
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.revenue_by_currency is
  'Grain: one row a client, channel and currency, as it is now. How much revenue comes from engines? Amounts of different currencies are never added or converted.';
comment on column bi.revenue_by_currency.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.revenue_by_currency.account is 'Account that the data was read with.';
comment on column bi.revenue_by_currency.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.revenue_by_currency.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.revenue_by_currency.channel is 'Channel as the API words it.';
comment on column bi.revenue_by_currency.currency_code is 'Currency of the amount. Only amounts of one currency may be added.';
comment on column bi.revenue_by_currency.revenue_amount is 'Revenue in that currency, of the period that the API reports; empty where no currency is known.';
comment on column bi.revenue_by_currency.order_count is 'Number of orders.';
comment on column bi.revenue_by_currency.session_count is 'Number of sessions.';
comment on column bi.revenue_by_currency.provenance is 'Where the figures come from.';
comment on column bi.revenue_by_currency.run_date is 'Run date that the row is of: the newest complete one.';
