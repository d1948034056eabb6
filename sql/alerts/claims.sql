-- Claims about the brand with their verdicts, as they are now; of a past date those that were checked until then.
select c.client_id, coalesce(c.checked_date, c.run_date) as date, c.brand_name as brand, c.claim, min(c.verdict) as verdict,
  min(c.fact) as fact
from bi.perception_claims as c
where c.account = :account and c.client_id = any(:clients) and coalesce(c.checked_date, c.run_date) <= :date
  and c.claim is not null and c.verdict is not null
  and not exists (
    select from bi.competitor_share as r
    where r.account = c.account and r.client_id = c.client_id and lower(r.competitor_name) = lower(c.brand_name)
  )
group by c.client_id, 2, c.brand_name, c.claim
order by c.client_id, 2
