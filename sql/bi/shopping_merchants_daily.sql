-- Grain: one row a merchant and run date.
-- Which merchants do engines send buyers to?
create or replace view bi.shopping_merchants_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.merchant,
  x.links as link_count,
  sync.rate_within(x.share) as share_rate,
  x.destination,
  x.is_recommended,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.merchants_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.shopping_merchants_daily is
  'Grain: one row a merchant and run date. Which merchants do engines send buyers to?';
comment on column bi.shopping_merchants_daily.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.shopping_merchants_daily.account is 'Account that the data was read with.';
comment on column bi.shopping_merchants_daily.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.shopping_merchants_daily.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.shopping_merchants_daily.run_date is 'Run date: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.shopping_merchants_daily.merchant is 'The merchant.';
comment on column bi.shopping_merchants_daily.link_count is 'Number of links to it.';
comment on column bi.shopping_merchants_daily.share_rate is 'Share of the links, 0 to 1.';
comment on column bi.shopping_merchants_daily.destination is 'Destination of the links as the API words it.';
comment on column bi.shopping_merchants_daily.is_recommended is 'Whether buying there is recommended.';
comment on column bi.shopping_merchants_daily.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
