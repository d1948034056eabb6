-- How far each route is, over all clients that are listed.
select
  h.stream,
  count(*) filter (where h.is_fresh) as up_to_date,
  count(*) filter (where not h.is_fresh and h.status <> 'failed' and h.complete_run_date is not null) as stale,
  count(*) filter (where not h.is_fresh and h.status = 'failed') as failed,
  count(*) filter (where not h.is_fresh and h.status <> 'failed' and h.complete_run_date is null) as never_synced,
  min(h.complete_run_date) as oldest_date,
  max(h.complete_run_date) as newest_date
from bi.freshness as h
where h.account = :account and h.client_left_on is null
group by h.stream
order by count(*) filter (where h.is_fresh)::numeric / count(*), h.stream
