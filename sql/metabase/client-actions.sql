/*
name: Open actions
about: Actions of the list as they are now, the most urgent first.
page: client
place: 4
size: 14x7
display: table
tags: { client: bi.clients.client_key }
settings: {}
*/
select client_name, priority, title, status, action_type, created_date
from bi.action_list
where {{client}}
order by priority_level, created_date desc, title
