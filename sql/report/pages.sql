-- How many cited pages were gained and how many lost in the period, each page once; no row where none was.
select count(distinct p.page) filter (where p.change = 'gained') as gained_count,
  count(distinct p.page) filter (where p.change = 'lost') as lost_count,
  count(distinct p.page) filter (where p.is_own) as own_count
from (
  select coalesce(c.page_url, c.domain, c.title) as page, c.change, c.is_own
  from bi.citation_changes as c
  where c.account = :account and c.client_id = :client_id and c.client_id <> '' and c.run_date between :from and :to
) as p
having count(p.page) > 0
