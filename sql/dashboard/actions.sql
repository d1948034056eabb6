-- The actions of a client as they are now, the most urgent first, with the date since which each has its status.
with since as (
  select h.action_id, max(h.from_date) as status_since_date
  from bi.action_status_history as h
  where h.account = :account and h.client_id = :client_id and h.until_date is null
  group by h.action_id
)
select a.created_date, a.title, a.action_type, a.status, since.status_since_date, a.priority_level,
  a.postponed_until_date, a.impact_points, a.expectation_metric, a.expected_from_value, a.expected_to_value,
  a.observed_value, a.result_reading, a.run_date
from bi.actions as a
left join since on since.action_id = a.action_id
where a.account = :account and a.client_id = :client_id
order by a.priority_level nulls last, a.created_date desc nulls last, a.action_id
limit 2000
