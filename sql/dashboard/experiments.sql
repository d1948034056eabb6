-- Experiments as they are now: before and after of their window, the newest first.
select e.action, e.metric, e.before_value, e.after_value, e.expected_value, e.observed_value, e.status, e.result_reading,
  e.conclusion, e.window_start_date, e.window_end_date, e.hypothesis, e.experiment_id, e.run_date
from bi.experiments as e
where e.account = :account and e.client_id = :client_id
order by e.after_value is null, e.window_end_date desc nulls last, e.experiment_id
limit 300
