-- Claims about the client's own brand with their verdicts, as they are now; of a past date those that were checked
-- until then. A brand is the client's own where the claim names none, by the client's name, or where the API says so.
select c.client_id, coalesce(c.checked_date, c.run_date) as date, trim(coalesce(c.brand_name, l.listed_name)) as brand, c.claim,
  c.verdict, min(c.fact) as fact
from bi.perception_claims as c
join bi.clients as l on l.account = c.account and l.client_id = c.client_id
where c.account = :account and c.client_id = any(:clients) and coalesce(c.checked_date, c.run_date) <= :date
  and c.claim is not null and c.verdict is not null
  and (c.brand_name is null or lower(trim(c.brand_name)) = lower(trim(l.listed_name)) or exists (
    select from bi.perception_attributes as o
    where o.account = :account and o.client_id = c.client_id and o.is_own and lower(trim(o.brand_name)) = lower(trim(c.brand_name))
  ))
group by c.client_id, 2, 3, c.claim, c.verdict
order by c.client_id, 3, c.claim, 2
