/*
name: Points left out of the AI Rank
about: Why points were left out, from the first to the last of them.
page: client
place: 5
size: 10x7
display: table
tags: { client: bi.clients.client_key }
settings: {}
*/
select client_name, method, excluded_reason, count(distinct date) + count(*) filter (where date is null) as point_count,
  min(date) as first_date, max(date) as last_date
from bi.rank_excluded
where {{client}}
group by client_key, client_name, method, excluded_reason
order by last_date desc, method, excluded_reason
