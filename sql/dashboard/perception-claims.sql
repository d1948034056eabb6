-- Claims of engines that were checked against the facts, as they are now, the newest first.
select c.checked_date, c.brand_name, c.claim, c.verdict, c.fact, c.run_date
from bi.perception_claims as c
where c.account = :account and c.client_id = :client_id
order by c.checked_date desc nulls last, c.brand_name, c.claim, c.verdict, c.fact
limit 2000
