-- Cited pages that were gained or lost, the newest first: of each month the newest 500.
select run_date, change, page_url, domain, title, citation_count, is_own
from (
  select c.run_date, c.change, c.page_url, c.domain, c.title, c.citation_count, c.is_own, row_number() over (
    partition by date_trunc('month', c.run_date)
    order by c.run_date desc, c.is_own desc nulls last, c.citation_count desc nulls last, c.page_url, c.change
  ) as place
  from bi.citation_changes as c
  where c.account = :account and c.client_id = :client_id and c.run_date between :from and :to
) as x
where place <= 500
order by run_date desc, is_own desc nulls last, citation_count desc nulls last, page_url, change
