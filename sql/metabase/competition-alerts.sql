/*
name: Alerts about competitors
about: What the API says happened among competitors, the newest first.
page: competition
place: 3
size: 24x6
display: table
tags: { client: bi.clients.client_key, period: bi.competitor_alerts.alert_date }
settings: {}
*/
select alert_date, client_name, competitor_name, alert_type, message
from bi.competitor_alerts
where {{client}}
  and ({{period}} or alert_date is null)
order by alert_date desc nulls last, competitor_name
