-- Cited pages that were gained or lost, the newest first.
select c.run_date, c.change, c.page_url, c.title, c.domain, c.is_own, c.citation_count
from bi.citation_changes as c
where c.account = :account and c.client_id = :client_id and c.run_date between :from and :to
order by c.run_date desc, c.is_own desc nulls last, c.citation_count desc nulls last, c.page_url, c.change
limit 5000
