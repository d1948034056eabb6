-- How many cited pages were gained and lost on each run date, and the first date of which there are citations.
select c.run_date, c.change, count(*) as page_count, f.first_date
from bi.citation_changes as c
cross join (
  select min(h.run_date) as first_date
  from bi_history.freshness as h
  where h.account = :account and h.client_id in ('', :client_id) and h.stream = 'citations' and h.is_complete
) as f
where c.account = :account and c.client_id = :client_id and c.run_date between :from and :to
group by c.run_date, c.change, f.first_date
order by c.run_date, c.change
