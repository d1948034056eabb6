/*
name: Claims about brands
about: Claims of answers that were checked, and the verdict.
page: competition
place: 5
size: 12x8
display: table
tags: { client: bi.clients.client_key, period: bi.perception_claims.checked_date }
settings: {}
*/
select checked_date, client_name, brand_name, claim, verdict, fact
from bi.perception_claims
where {{client}}
  and ({{period}} or checked_date is null)
order by checked_date desc nulls last, brand_name, claim
