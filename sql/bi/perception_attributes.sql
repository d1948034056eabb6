-- row: a brand and attribute, as it is now
-- question: What do engines associate with the brand and its rivals?
-- group: answers
-- history: perception
create or replace view bi.perception_attributes as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.brand as brand_name, -- Brand that the attribute is about. <- perception.brand
  x.attribute, -- The attribute. <- perception.attribute
  x.is_own, -- Whether it is the client's brand. <- perception.is_own
  x.polarity, -- Polarity as the API words it. <- perception.polarity
  x.mentions as mention_count, -- Number of mentions. <- perception.mentions
  x.phrase, -- A literal phrase. <- perception.phrase
  sync.rate_within(x.confidence) as confidence_rate, -- Confidence that the API states, 0 to 1. <- perception.confidence
  x.run_date,
  coalesce(sync.days_in(x.period), (select w.days from bi_map.named_window as w where w.source = 'perception' and w.field = 'mentions')) as window_days, -- Number of days that the mentions are of, as the API words them or the name of the field does; empty where neither says it. <- perception.period
  x.as_of as as_of_date -- Date that the API says the figures are of or were read on. <- perception.as_of
from (
  select x.account, x.client_id, x.brand, x.attribute, x.is_own, x.polarity, x.mentions, x.phrase, x.confidence, x.period, x.as_of, x.run_date, x.next_date
  from bi_map.perception as x where x.client_id <> ''
  union all
  -- By its brand, where the record does not say whose it is.
  select x.account, coalesce(b.client_id, ''), x.brand, x.attribute, x.is_own, x.polarity, x.mentions, x.phrase, x.confidence, x.period, x.as_of, x.run_date, x.next_date
  from bi_map.perception as x
  left join bi_map.client_of_brand as b on b.account = x.account and b.brand = lower(trim(x.brand))
  where x.client_id = ''
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
