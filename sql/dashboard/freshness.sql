-- How far the slices are that a scope's figures come from; of a client only its own.
select
  max(h.complete_run_date) as newest,
  count(*) filter (where h.is_fresh) as up_to_date,
  count(*) filter (where not h.is_fresh and h.status <> 'failed' and h.complete_run_date is not null) as stale,
  count(*) filter (where not h.is_fresh and h.status = 'failed') as failed,
  count(*) filter (where not h.is_fresh and h.status <> 'failed' and h.complete_run_date is null) as never_synced
from bi.sync_health as h
where h.account = :account and (:client_id = '' or h.client_id = :client_id) and h.client_left_on is null
