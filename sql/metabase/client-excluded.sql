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
select client_name, method, excluded_reason, point_count, first_date, last_date
from bi.rank_excluded
where client_id = any (array(select client_id from bi.clients where {{client}}))
  and client_key = any (array(select client_key from bi.clients where {{client}}))
order by last_date desc, method, excluded_reason
