-- The same of one run date: what is not published of it is missing, and nothing is stale.
select max(f.run_date) filter (where f.is_complete) as run_date, '[]' as stale,
  array_to_json(coalesce(array_agg(distinct f.stream) filter (where not f.is_complete), '{}')) as missing
from bi_history.freshness as f
where f.status <> 'unavailable' and f.run_date = :run_from
  and (:account = '' or f.account = :account and f.client_id = :client_id)
  and (:keys = '{}' or f.client_key = any (:keys::text[]))
