/*
row: a brand and attribute, as it is now
question: What do engines associate with the brand and its rivals?
also: client, run_date
  brand_name: Brand that the attribute is about. <- perception.brand
  attribute: The attribute. <- perception.attribute
  is_own: Whether it is the client's brand. <- perception.is_own
  polarity: Polarity as the API words it. <- perception.polarity
  mention_count: Number of mentions. <- perception.mentions
  phrase: A literal phrase. <- perception.phrase
  confidence_rate: Confidence that the API states, 0 to 1. <- perception.confidence
*/
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
