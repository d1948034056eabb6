-- row: an alert
-- question: What did competitors do that needs a look?
-- group: rivals
-- time: alert_date
-- newest: last_run_date
create or replace view bi.competitor_alerts as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.date as alert_date, -- Date of the alert. <- competitor_alerts.date
  least(x.until_date, c.left_on - 1) as last_run_date, -- Newest run date on which the API showed it.
  x.competitor as competitor_name, -- Competitor it is about. <- competitor_alerts.competitor
  x.kind as alert_type, -- Kind of alert as the API words it. <- competitor_alerts.kind
  x.message -- Text of the alert. <- competitor_alerts.message
from (
  select account, client_id, date, competitor, kind, message,
    max(case when until = 'infinity' then newest_date else until - 1 end) as until_date
  from (
    select v.*, w.run_date as newest_date from bi_map.competitor_alerts_version v
    left join sync.newest w on w.stream = 'competitors' and w.account = v.account and w.client_id = v.slice_client_id
  ) as n
  group by account, client_id, date, competitor, kind, message
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (coalesce(x.date, x.until_date) >= c.left_on) is not true;
