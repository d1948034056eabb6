/*
name: How fresh the data is
about: "By client: the last run date on which everything was read, and how many streams were not read since."
page: portfolio
place: 5
size: 24x6
display: table
tags: { account: bi.freshness.account }
settings: {}
*/
select client_name, min(complete_run_date) as complete_run_date, max(newest_run_date) as newest_run_date,
  count(*) filter (where is_fresh is not true) as stale_count, count(*) as stream_count
from bi.freshness
where {{account}} and client_left_on is null
group by client_key, client_name
order by stale_count desc, client_name
