-- How many cited pages were gained and how many lost in the period, each page once; no row where none was.
select count(distinct page_url) filter (where change = 'gained') as gained_count,
  count(distinct page_url) filter (where change = 'lost') as lost_count,
  count(distinct page_url) filter (where is_own) as own_count,
  count(distinct page_url) filter (where is_own is null) as unknown_count
from bi.citation_changes
where account = :account and client_id = :client_id and client_id <> '' and run_date between :from and :to
having count(*) > 0
