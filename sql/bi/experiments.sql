-- row: an experiment, as it is now
-- question: What was before, what after, and how is that read? A reading is not a cause.
-- group: actions
create or replace view bi.experiments as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.starts as window_start_date, -- First day of the window. <- experiments.starts
  x.ends as window_end_date, -- Last day of the window. <- experiments.ends
  coalesce(x.id, x.record_key) as experiment_id, -- Identifier of the experiment. <- experiments.id or data
  x.action, -- What was done. <- experiments.action
  x.action_kind as action_type, -- Kind of action as the API words it. <- experiments.action_kind
  x.hypothesis, -- Hypothesis. <- experiments.hypothesis
  x.objective, -- Objective as the API words it. <- experiments.objective
  x.metric, -- Metric that the values are of. <- experiments.metric
  x.status, -- Status as the API words it. <- experiments.status
  x.before as before_value, -- Value before, in the unit of the metric. <- experiments.before
  x.after as after_value, -- Value after, in the unit of the metric; empty until it is read. <- experiments.after
  x.expected as expected_value, -- What was expected, in the unit of the metric. <- experiments.expected
  x.actual as observed_value, -- What was observed, in the unit of the metric. <- experiments.actual
  x.reading as result_reading, -- Reading of the result, never causal. <- experiments.reading
  x.conclusion, -- Conclusion of the API. <- experiments.conclusion
  x.run_date
from bi_map.experiments as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
