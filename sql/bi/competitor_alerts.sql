-- Grain: one row an alert.
-- What did competitors do that needs a look?
create or replace view bi.competitor_alerts as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.date as alert_date,
  least(x.until_date, c.left_on - 1) as last_run_date,
  x.competitor as competitor_name,
  x.kind as alert_type,
  x.message
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

comment on view bi.competitor_alerts is
  'Grain: one row an alert. What did competitors do that needs a look?';
comment on column bi.competitor_alerts.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.competitor_alerts.account is 'Account that the data was read with.';
comment on column bi.competitor_alerts.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.competitor_alerts.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.competitor_alerts.alert_date is 'Date of the alert.';
comment on column bi.competitor_alerts.last_run_date is 'Newest run date on which the API showed it.';
comment on column bi.competitor_alerts.competitor_name is 'Competitor it is about.';
comment on column bi.competitor_alerts.alert_type is 'Kind of alert as the API words it.';
comment on column bi.competitor_alerts.message is 'Text of the alert.';
