-- How many cited pages were gained and lost on a run date, and how many of them are the client's own. Only dates with a
-- change have a row.
select c.run_date as date, count(*) filter (where c.change = 'gained') as gained_count,
  count(*) filter (where c.change = 'lost') as lost_count,
  count(*) filter (where c.change = 'gained' and c.is_own) as own_gained_count,
  count(*) filter (where c.change = 'lost' and c.is_own) as own_lost_count,
  count(*) filter (where c.change = 'lost' and c.is_own is null) as unknown_lost_count
from bi.citation_changes as c
where c.account = :account and c.client_id = :client_id and c.run_date between :from and :to
group by c.run_date
order by c.run_date
