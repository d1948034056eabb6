-- Grain: one row a merchant and run date.
-- Which merchants do engines send buyers to?
create or replace view bi.shopping_merchants as
select
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.merchant,
  x.links as link_count,
  x.share as share_rate,
  x.destination,
  x.is_recommended,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.merchants_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.shopping_merchants is
  'Grain: one row a merchant and run date. Which merchants do engines send buyers to?';
comment on column bi.shopping_merchants.account is 'Account that the data was read with.';
comment on column bi.shopping_merchants.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.shopping_merchants.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.shopping_merchants.run_date is 'The logical day of the data: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.shopping_merchants.merchant is 'The merchant.';
comment on column bi.shopping_merchants.link_count is 'Links to it.';
comment on column bi.shopping_merchants.share_rate is 'Share of the links, as the API gives it.';
comment on column bi.shopping_merchants.destination is 'Destination of the links as the API words it.';
comment on column bi.shopping_merchants.is_recommended is 'Whether buying there is recommended.';
comment on column bi.shopping_merchants.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
