-- Grain: one row a merchant, as it is now.
-- Which merchants do engines send buyers to?
create or replace view bi.shopping_merchants as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.merchant,
  x.links as link_count,
  sync.rate_within(x.share) as share_rate,
  x.destination,
  x.is_recommended,
  x.run_date
from bi_map.merchants as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.shopping_merchants is
  'Grain: one row a merchant, as it is now. Which merchants do engines send buyers to?';
comment on column bi.shopping_merchants.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.shopping_merchants.account is 'Account that the data was read with.';
comment on column bi.shopping_merchants.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.shopping_merchants.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.shopping_merchants.merchant is 'The merchant.';
comment on column bi.shopping_merchants.link_count is 'Number of links to it.';
comment on column bi.shopping_merchants.share_rate is 'Share of the links, 0 to 1.';
comment on column bi.shopping_merchants.destination is 'Destination of the links as the API words it.';
comment on column bi.shopping_merchants.is_recommended is 'Whether buying there is recommended.';
comment on column bi.shopping_merchants.run_date is 'Run date that the row is of: the newest complete one.';
