-- Grain: one row an experiment and run date.
-- What was before, what after, and how is that read? A reading is not a cause.
create or replace view bi.experiment_readouts as
select
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  coalesce(x.id, x.record_key) as experiment_id,
  x.action,
  x.action_kind as action_type,
  x.hypothesis,
  x.starts as window_start_date,
  x.ends as window_end_date,
  x.objective,
  x.metric,
  x.status,
  x.before as before_value,
  x.after as after_value,
  x.expected as expected_value,
  x.actual as actual_value,
  x.reading,
  x.conclusion,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.experiments_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.experiment_readouts is
  'Grain: one row an experiment and run date. What was before, what after, and how is that read? A reading is not a cause.';
comment on column bi.experiment_readouts.account is 'Account that the data was read with.';
comment on column bi.experiment_readouts.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.experiment_readouts.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.experiment_readouts.run_date is 'The logical day of the data: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.experiment_readouts.experiment_id is 'Identifier of the experiment.';
comment on column bi.experiment_readouts.action is 'What was done.';
comment on column bi.experiment_readouts.action_type is 'Kind of action as the API words it.';
comment on column bi.experiment_readouts.hypothesis is 'Hypothesis.';
comment on column bi.experiment_readouts.window_start_date is 'First day of the window.';
comment on column bi.experiment_readouts.window_end_date is 'Last day of the window.';
comment on column bi.experiment_readouts.objective is 'Objective as the API words it.';
comment on column bi.experiment_readouts.metric is 'Metric.';
comment on column bi.experiment_readouts.status is 'Status as the API words it.';
comment on column bi.experiment_readouts.before_value is 'Value before.';
comment on column bi.experiment_readouts.after_value is 'Value after; empty until it is read.';
comment on column bi.experiment_readouts.expected_value is 'What was expected.';
comment on column bi.experiment_readouts.actual_value is 'What was observed.';
comment on column bi.experiment_readouts.reading is 'Reading of the API, never causal.';
comment on column bi.experiment_readouts.conclusion is 'Conclusion of the API.';
comment on column bi.experiment_readouts.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
