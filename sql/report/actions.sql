-- Every action with its status at the end of the period, and what is said of it now, on read_date.
select h.action_id, coalesce(h.title, o.title, h.action_id) as title, h.status, h.from_date as status_since_date,
  h.from_date >= :from as is_new, o.priority, o.priority_level, o.postponed_until_date, o.expectation_metric,
  o.expected_from_value, o.expected_to_value, o.observed_value, o.result_reading,
  o.run_date as read_date
from bi.action_status_history as h
left join lateral (
  select o.* from bi.actions as o
  where o.account = h.account and o.client_id = h.client_id and o.action_id = h.action_id
  order by o.created_date desc nulls last, o.title
  limit 1
) as o on true
where h.account = :account and h.client_id = :client_id and h.client_id <> ''
  and coalesce(h.from_date, h.first_run_date) <= :to and (h.until_date is null or h.until_date > :to)
order by o.priority_level nulls last, h.from_date, h.action_id, h.status
