-- How many cited pages were gained and lost on each run date.
select c.run_date, c.change, count(*) as page_count
from bi.citation_changes as c
where c.account = :account and c.client_id = :client_id and c.run_date between :from and :to
group by c.run_date, c.change
order by c.run_date, c.change
