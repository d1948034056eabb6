-- Reads the alerts about competitors that the API itself gives.
select a.client_id, a.alert_date as date, a.competitor_name as competitor, a.alert_type as news_type, max(a.message) as message
from bi.competitor_alerts as a
where a.account = :account and a.client_id = any(:clients) and a.alert_date between :since and :date
  and a.competitor_name is not null and a.alert_type is not null
group by a.client_id, a.alert_date, a.competitor_name, a.alert_type
