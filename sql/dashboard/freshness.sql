-- How far the slices are that a scope's figures come from: of a client its own and its account's, of an account those
-- of clients that are listed. Of a client that left its own, as they were: nothing is missing since.
select
  max(x.complete_run_date) as newest,
  count(*) filter (where x.is_fresh) as up_to_date,
  count(*) filter (where not x.is_fresh and x.status <> 'failed' and x.complete_run_date is not null) as stale,
  count(*) filter (where not x.is_fresh and x.status = 'failed') as failed,
  count(*) filter (where not x.is_fresh and x.status <> 'failed' and x.complete_run_date is null) as never_synced
from (
  select h.complete_run_date, h.status, h.is_fresh or (h.is_complete and h.client_left_on is not null) as is_fresh
  from bi.freshness as h
  where h.account = :account
    -- By itself, so that it narrows the slices before they are read.
    and (:client_id = '' or h.client_id in ('', :client_id))
    and case when :client_id = '' then h.client_left_on is null
      else h.client_id = :client_id or exists (
        select from bi.clients as c where c.account = :account and c.client_id = :client_id and c.left_on is null
      ) end
) as x
