-- Reads what engines associate with the brand and with its rivals now, the most mentioned first.
select p.attribute, p.brand_name, p.is_own, p.polarity, p.mention_count, p.confidence_rate, p.phrase, p.run_date
from bi.perception_attributes as p
where p.account = :account and p.client_id = :client_id
order by p.mention_count desc nulls last, p.attribute, p.brand_name, p.polarity, p.phrase
limit 1000
