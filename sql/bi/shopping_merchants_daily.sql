/*
row: a merchant and run date
question: Which merchants do engines send buyers to?
time: run_date
also: client, is_latest
  run_date: Run date: one row a day with a complete snapshot, other days are gaps.
  merchant: The merchant. <- merchants.merchant
  link_count: Number of links to it. <- merchants.links
  share_rate: Share of the links, 0 to 1. <- merchants.share
  destination: Destination of the links as the API words it. <- merchants.destination
  is_recommended: Whether buying there is recommended. <- merchants.is_recommended
*/
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
