/*
name: What happened
about: "Changes of method, actions, alerts and notes by date: what to know when a line bends."
page: client
place: 6
size: 24x7
display: table
tags: { client: bi.clients.client_key, period: bi.events.event_date }
settings: {}
*/
select event_date, client_name, event_type, title, detail
from bi.events
where {{client}}
  and {{period}}
order by event_date desc, event_type, title
