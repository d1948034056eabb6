-- Reads the service's warnings about competitors by date, the newest 2,000 of each month.
select alert_date, competitor_name, alert_type, message, last_run_date
from (
  select a.alert_date, a.competitor_name, a.alert_type, a.message, a.last_run_date, row_number() over (
    partition by date_trunc('month', a.alert_date)
    order by a.alert_date desc, a.competitor_name, a.alert_type, a.message
  ) as place
  from bi.competitor_alerts as a
  where a.account = :account and a.client_id = :client_id and a.alert_date between :from and :to
) as x
where place <= 2000
order by alert_date, competitor_name, alert_type, message
