-- row: a merchant, as it is now
-- question: Which merchants do engines send buyers to?
-- group: business
-- history: merchants
create or replace view bi.shopping as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.merchant, -- The merchant. <- merchants.merchant
  x.links as link_count, -- Number of links to it. <- merchants.links
  sync.rate_within(x.share) as share_rate, -- Share of the links, 0 to 1. <- merchants.share
  x.destination, -- Destination of the links as the API words it. <- merchants.destination
  x.is_recommended, -- Whether buying there is recommended. <- merchants.is_recommended
  x.run_date,
  coalesce(sync.days_in(x.period), (select w.days from bi_map.named_window as w where w.source = 'merchants' and w.field = 'links')) as window_days, -- Number of days that the links are of, as the API words them or the name of the field does; empty where neither says it. <- merchants.period
  x.as_of as as_of_date -- Date that the API says the figures are of or were read on. <- merchants.as_of
from bi_map.merchants as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
