-- What happened to a client, for its own eyes: of the alerts, those that are told.
select e.event_date, e.event_type, e.title
from bi.events as e
where e.account = :account and e.client_id = :client_id and e.event_date between :from and :to
  and not (e.event_type = 'alert' and exists (
    select from bi.alerts as a where a.account = e.account and a.alert_id::text = e.event_id and a.is_muted
  ))
order by e.event_date, e.event_type, e.title
