-- How far the streams are: the client's own slices, and those of its account.
select s.stream, s.client_id, s.status, s.complete_run_date, s.run_date
from bi.freshness as s
where s.account = :account and s.client_id in (:client_id, '')
order by s.stream, s.client_id
