-- Reads the events to mark on the time axis: a client's own, or those of the account. The newest event of an action
-- carries what was expected of the action and what was observed.
select e.event_date, e.event_type, coalesce(a.title_en, e.title) as title_en,
  case e.event_type when 'method_change' then 'AI Rank por el método ' || e.event_id else coalesce(a.title_es, e.title) end as title_es,
  e.detail, coalesce(a.is_muted, false) as is_muted, x.expectation_metric, x.expected_from_value, x.expected_to_value, x.observed_value
from (
  select v.*, row_number() over (partition by v.event_type, v.event_id order by v.event_date desc, v.detail = 'created') as place
  from bi.events as v
  where v.account = :account and v.client_id = :client_id and v.event_date between :from and :to
) as e
left join bi.alerts as a on e.event_type = 'alert' and a.account = e.account and a.alert_id::text = e.event_id
left join bi.actions as x on e.event_type = 'action' and e.place = 1
  and x.account = :account and x.client_id = :client_id and x.action_id = e.event_id
order by e.event_date, e.event_type, e.title
