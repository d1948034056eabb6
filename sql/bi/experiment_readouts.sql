/*
row: an experiment, as it is now
question: What was before, what after, and how is that read? A reading is not a cause.
also: client, run_date
  window_start_date: First day of the window. <- experiments.starts
  window_end_date: Last day of the window. <- experiments.ends
  experiment_id: Identifier of the experiment. <- experiments.id or data
  action: What was done. <- experiments.action
  action_type: Kind of action as the API words it. <- experiments.action_kind
  hypothesis: Hypothesis. <- experiments.hypothesis
  objective: Objective as the API words it. <- experiments.objective
  metric: Metric that the values are of. <- experiments.metric
  status: Status as the API words it. <- experiments.status
  before_value: Value before, in the unit of the metric. <- experiments.before
  after_value: Value after, in the unit of the metric; empty until it is read. <- experiments.after
  expected_value: What was expected, in the unit of the metric. <- experiments.expected
  observed_value: What was observed, in the unit of the metric. <- experiments.actual
  result_reading: Reading of the result, never causal. <- experiments.reading
  conclusion: Conclusion of the API. <- experiments.conclusion
*/
create or replace view bi.experiment_readouts as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.starts as window_start_date,
  x.ends as window_end_date,
  coalesce(x.id, x.record_key) as experiment_id,
  x.action,
  x.action_kind as action_type,
  x.hypothesis,
  x.objective,
  x.metric,
  x.status,
  x.before as before_value,
  x.after as after_value,
  x.expected as expected_value,
  x.actual as observed_value,
  x.reading as result_reading,
  x.conclusion,
  x.run_date
from bi_map.experiments as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
