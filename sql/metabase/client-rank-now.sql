/*
name: The AI Rank now
about: Newest comparable point, 0 to 100, with its change in points and the date that it is compared with. Rose and fell are said of the change over 28 days where it is clear, usual where it is below usual_change.
page: client
place: 1
size: 24x4
display: table
tags: { client: bi.clients.client_key }
settings: {}
*/
select client_name, method, date, score, change_previous, previous_date, change_7d, date_7d, change_28d, date_28d, change_28d_direction, usual_change
from bi.rank_latest
where {{client}}
order by client_name, client_key
