/*
name: Experiments before and after
about: Values before and after each experiment, with what was expected. A difference is no proof of a cause.
page: business
place: 6
size: 24x7
display: table
tags: { client: bi.clients.client_key }
settings: {}
*/
select window_start_date, window_end_date, client_name, action, metric, status, before_value, after_value, expected_value,
  observed_value, conclusion
from bi.experiments
where {{client}}
order by window_start_date desc nulls last, action
