-- Cited pages that were gained or lost in the period.
select p.run_date, p.change, p.page_url, p.domain, p.title, p.citation_count, p.is_own
from bi.citation_changes as p
where p.account = :account and p.client_id = :client_id and p.client_id <> '' and p.run_date between :from and :to
order by p.run_date, p.change, p.page_url
