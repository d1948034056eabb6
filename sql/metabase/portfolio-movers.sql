/*
name: Clients by AI Rank
about: AI Rank of each client, 0 to 100, what changed clearly first. Rose or fell is a change over 28 days from usual_change points on, usual one within it, empty one that cannot be judged. Changes are in points; empty ones have no comparable point to compare with.
page: portfolio
place: 1
size: 14x8
display: table
tags: { account: bi.rank_latest.account }
settings: {}
*/
select client_name, method, score, change_28d_direction, change_28d, usual_change, date_28d, change_7d, date_7d, date
from bi.rank_latest
where {{account}}
order by change_28d_is_clear desc nulls last, abs(change_28d) desc nulls last, client_name
