-- What the service warns of in competitors, by date: the newest 2,000.
select alert_date, competitor_name, alert_type, message, last_run_date
from (
  select a.alert_date, a.competitor_name, a.alert_type, a.message, a.last_run_date
  from bi.competitor_alerts as a
  where a.account = :account and a.client_id = :client_id and a.alert_date between :from and :to
  order by a.alert_date desc, a.competitor_name, a.alert_type, a.message
  limit 2000
) as newest
order by alert_date, competitor_name, alert_type, message
