-- How far the data of a scope is: of each account its newest run date, and which streams lack it. What the API does not
-- have lacks nothing, nor does a client that left.
select max(f.complete_run_date) as run_date,
  array_to_json(coalesce(array_agg(distinct f.stream) filter (where not f.is_fresh and f.complete_run_date is not null), '{}')) as stale,
  array_to_json(coalesce(array_agg(distinct f.stream) filter (where not f.is_fresh and f.complete_run_date is null), '{}')) as missing
from bi.freshness as f
where f.status <> 'unavailable' and f.client_left_on is null
  and (:account = '' or f.account = :account and f.client_id = :client_id)
  and (:keys = '{}' or f.client_key = any (:keys::text[]))
