-- How many cited pages were gained and lost on a run date, and how many of them are the client's own; past 180 days by week.
select x.date, count(*) filter (where x.change = 'gained') as gained_count,
  count(*) filter (where x.change = 'lost') as lost_count,
  count(*) filter (where x.change = 'gained' and x.is_own) as own_gained_count,
  count(*) filter (where x.change = 'lost' and x.is_own) as own_lost_count
from (
  select c.change, c.is_own,
    case when :to - :from <= 180 then c.run_date else greatest(date_trunc('week', c.run_date)::date, :from) end as date
  from bi.citation_changes as c
  where c.account = :account and c.client_id = :client_id and c.run_date between :from and :to
) as x
group by x.date
order by x.date
