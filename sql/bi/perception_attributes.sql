-- row: a brand and attribute, as it is now
-- question: What do engines associate with the brand and its rivals?
-- history: perception
create or replace view bi.perception_attributes as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name,
  x.brand as brand_name, -- Brand that the attribute is about. <- perception.brand
  x.attribute, -- The attribute. <- perception.attribute
  x.is_own, -- Whether it is the client's brand. <- perception.is_own
  x.polarity, -- Polarity as the API words it. <- perception.polarity
  x.mentions as mention_count, -- Number of mentions. <- perception.mentions
  x.phrase, -- A literal phrase. <- perception.phrase
  sync.rate_within(x.confidence) as confidence_rate, -- Confidence that the API states, 0 to 1. <- perception.confidence
  x.run_date
from bi_map.perception as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
