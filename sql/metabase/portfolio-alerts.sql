/*
name: Alerts
about: What the rules of airank found in the figures, the newest first; of rules that are not muted.
page: portfolio
place: 4
size: 24x7
display: table
tags: { account: bi.alerts.account, period: bi.alerts.alert_date }
settings: {}
*/
select alert_date, client_name, severity, title, detail, state, ended_date
from bi.alerts
where {{account}} and {{period}} and is_muted is not true
order by alert_date desc, client_name, alert_id
