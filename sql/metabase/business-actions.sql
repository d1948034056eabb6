/*
name: What actions were expected to do, and what was observed
about: What was expected of each action and what was read later. That one followed the other does not prove a cause.
page: business
place: 5
size: 24x7
display: table
tags: { client: bi.clients.client_key }
settings: {}
*/
select created_date, client_name, title, status, expectation_metric, expected_from_value, expected_to_value, observed_value,
  result_reading
from bi.actions
where {{client}}
order by created_date desc nulls last, title
