-- Pages that engines cite now, the most cited first.
select p.page_url, p.title, p.domain, p.is_own, p.citation_count, p.window_days, p.engines, p.gained_date, p.first_seen_date,
  p.last_seen_date, p.run_date, count(*) over () as page_count, count(*) filter (where p.is_own) over () as own_page_count,
  count(p.is_own) over () as judged_page_count
from bi.cited_pages as p
where p.account = :account and p.client_id = :client_id
order by p.citation_count desc nulls last, p.page_url
limit 1000
