-- Streams of which the API has nothing for a client, by its own slices and those of its account, as they are now.
select h.stream
from bi.freshness as h
where h.account = :account and h.client_id in ('', :client_id)
group by h.stream
having bool_and(h.status = 'unavailable' or h.is_complete and h.record_count = 0)
order by h.stream
