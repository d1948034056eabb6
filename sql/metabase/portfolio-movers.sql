/*
name: Clients by AI Rank
about: AI Rank of each client, 0 to 100, with its change in points and the date that it is compared with. Empty changes have no comparable point to compare with.
page: portfolio
place: 1
size: 14x8
display: table
tags: { account: bi.rank_latest.account }
settings: {}
*/
select client_name, method, score, change_7d, date_7d, change_28d, date_28d, direction, date
from bi.rank_latest
where {{account}}
order by mover_position, client_name
