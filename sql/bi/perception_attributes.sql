-- Grain: one row a brand and attribute, as it is now.
-- What do engines associate with the brand and its rivals?
create or replace view bi.perception_attributes as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.brand as brand_name,
  x.attribute,
  x.is_own,
  x.polarity,
  x.mentions as mention_count,
  x.phrase,
  sync.rate_within(x.confidence) as confidence_rate,
  x.run_date
from bi_map.perception as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.perception_attributes is
  'Grain: one row a brand and attribute, as it is now. What do engines associate with the brand and its rivals?';
comment on column bi.perception_attributes.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.perception_attributes.account is 'Account that the data was read with.';
comment on column bi.perception_attributes.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.perception_attributes.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.perception_attributes.brand_name is 'Brand that the attribute is about.';
comment on column bi.perception_attributes.attribute is 'The attribute.';
comment on column bi.perception_attributes.is_own is 'Whether it is the client''s brand.';
comment on column bi.perception_attributes.polarity is 'Polarity as the API words it.';
comment on column bi.perception_attributes.mention_count is 'Number of mentions.';
comment on column bi.perception_attributes.phrase is 'A literal phrase.';
comment on column bi.perception_attributes.confidence_rate is 'Confidence that the API states, 0 to 1.';
comment on column bi.perception_attributes.run_date is 'Run date that the row is of: the newest complete one.';
