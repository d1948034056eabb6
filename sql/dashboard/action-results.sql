-- What was expected of an action and what was observed; those with a result first.
select o.title, o.status, o.action_type, o.expectation_metric, o.expected_from_value, o.expected_to_value, o.observed_value,
  o.result_reading, o.expectation_frozen_date, o.is_expectation_changed, o.created_date, o.action_id, o.run_date
from bi.actions as o
where o.account = :account and o.client_id = :client_id
  and (o.expected_from_value is not null or o.expected_to_value is not null or o.observed_value is not null)
order by o.observed_value is null, o.expectation_metric nulls last, o.created_date desc nulls last, o.action_id
limit 500
