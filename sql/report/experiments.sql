-- Experiments whose window ended in the period and that were read.
select coalesce(e.action, e.experiment_id) as action, e.metric, e.window_start_date, e.window_end_date, e.before_value,
  e.after_value, e.result_reading
from bi.experiments as e
where e.account = :account and e.client_id = :client_id and e.client_id <> ''
  and e.window_end_date between :from and :to and e.before_value is not null and e.after_value is not null
order by e.window_end_date, e.experiment_id
