-- Grain: one row a brand, attribute and run date.
-- What do engines associate with the brand and its rivals?
create or replace view bi.perception_attributes_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.brand as brand_name,
  x.attribute,
  x.is_own,
  x.polarity,
  x.mentions as mention_count,
  x.phrase,
  sync.rate_within(x.confidence) as confidence_rate,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.perception_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.perception_attributes_daily is
  'Grain: one row a brand, attribute and run date. What do engines associate with the brand and its rivals?';
comment on column bi.perception_attributes_daily.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.perception_attributes_daily.account is 'Account that the data was read with.';
comment on column bi.perception_attributes_daily.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.perception_attributes_daily.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.perception_attributes_daily.run_date is 'Run date: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.perception_attributes_daily.brand_name is 'Brand that the attribute is about.';
comment on column bi.perception_attributes_daily.attribute is 'The attribute.';
comment on column bi.perception_attributes_daily.is_own is 'Whether it is the client''s brand.';
comment on column bi.perception_attributes_daily.polarity is 'Polarity as the API words it.';
comment on column bi.perception_attributes_daily.mention_count is 'Number of mentions.';
comment on column bi.perception_attributes_daily.phrase is 'A literal phrase.';
comment on column bi.perception_attributes_daily.confidence_rate is 'Confidence that the API states, 0 to 1.';
comment on column bi.perception_attributes_daily.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
