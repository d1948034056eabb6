-- row: a claim, as it is now
-- question: Which claims of engines were checked against the facts, and what came of it?
-- group: answers
-- line: what they claim, checked against the facts
create or replace view bi.perception_claims as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.checked as checked_date, -- When it was checked. <- claims.checked
  x.brand as brand_name, -- Brand that the claim is about. <- claims.brand
  x.claim, -- The claim. <- claims.claim
  x.verdict, -- Verdict as the API words it. <- claims.verdict
  x.fact, -- Fact it was checked against. <- claims.fact
  x.run_date
from (
  select x.account, x.client_id, x.checked, x.brand, x.claim, x.verdict, x.fact, x.run_date
  from bi_map.claims as x where x.client_id <> ''
  union all
  -- By its brand, where the record does not say whose it is.
  select x.account, coalesce(b.client_id, ''), x.checked, x.brand, x.claim, x.verdict, x.fact, x.run_date
  from bi_map.claims as x
  left join bi_map.client_of_brand as b on b.account = x.account and b.brand = lower(trim(x.brand))
  where x.client_id = ''
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
