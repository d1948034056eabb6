-- Streams of a client and its account, as they are now: is_nothing where the API has nothing of them, is_own where the
-- client has slices of its own.
select h.stream, bool_and(h.status = 'unavailable' or h.is_complete and h.record_count = 0) as is_nothing,
  bool_or(h.client_id <> '') as is_own
from bi.freshness as h
where h.account = :account and h.client_id in ('', :client_id)
group by h.stream
order by h.stream
