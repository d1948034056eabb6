-- Grain: one row an experiment, as it is now.
-- What was before, what after, and how is that read? A reading is not a cause.
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

comment on view bi.experiment_readouts is
  'Grain: one row an experiment, as it is now. What was before, what after, and how is that read? A reading is not a cause.';
comment on column bi.experiment_readouts.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.experiment_readouts.account is 'Account that the data was read with.';
comment on column bi.experiment_readouts.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.experiment_readouts.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.experiment_readouts.window_start_date is 'First day of the window.';
comment on column bi.experiment_readouts.window_end_date is 'Last day of the window.';
comment on column bi.experiment_readouts.experiment_id is 'Identifier of the experiment.';
comment on column bi.experiment_readouts.action is 'What was done.';
comment on column bi.experiment_readouts.action_type is 'Kind of action as the API words it.';
comment on column bi.experiment_readouts.hypothesis is 'Hypothesis.';
comment on column bi.experiment_readouts.objective is 'Objective as the API words it.';
comment on column bi.experiment_readouts.metric is 'Metric that the values are of.';
comment on column bi.experiment_readouts.status is 'Status as the API words it.';
comment on column bi.experiment_readouts.before_value is 'Value before, in the unit of the metric.';
comment on column bi.experiment_readouts.after_value is 'Value after, in the unit of the metric; empty until it is read.';
comment on column bi.experiment_readouts.expected_value is 'What was expected, in the unit of the metric.';
comment on column bi.experiment_readouts.observed_value is 'What was observed, in the unit of the metric.';
comment on column bi.experiment_readouts.result_reading is 'Reading of the result, never causal.';
comment on column bi.experiment_readouts.conclusion is 'Conclusion of the API.';
comment on column bi.experiment_readouts.run_date is 'Run date that the row is of: the newest complete one.';
