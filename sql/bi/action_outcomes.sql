-- Grain: one row an action, as it is now.
-- What was expected of an action when it was frozen, and what was observed?
create or replace view bi.action_outcomes as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.created as created_date,
  coalesce(x.id, x.record_key) as action_id,
  coalesce(x.title, (
    select a.title from bi_map.action_title as a
    where a.account = x.account and a.client_id = x.client_id and a.action_id = x.id
  )) as title,
  x.kind as action_type,
  x.status,
  x.priority,
  sync.priority_level(x.priority) as priority_level,
  x.postponed_until as postponed_until_date,
  x.impact_level,
  x.impact_points,
  f.expectation_metric as expectation_metric,
  f.expectation_from as expected_from_value,
  f.expectation_to as expected_to_value,
  f.expectation_frozen as expectation_frozen_date,
  coalesce(f.is_changed, false) as is_expectation_changed,
  x.result_observed as observed_value,
  x.result_reading,
  x.run_date
from bi_map.actions as x
left join typed.action_expectation as f
  on f.account = x.account and f.client_id = x.client_id and f.slice_client_id = x.slice_client_id and f.record_key = x.record_key
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.action_outcomes is
  'Grain: one row an action, as it is now. What was expected of an action when it was frozen, and what was observed?';
comment on column bi.action_outcomes.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.action_outcomes.account is 'Account that the data was read with.';
comment on column bi.action_outcomes.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.action_outcomes.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.action_outcomes.created_date is 'When it was created.';
comment on column bi.action_outcomes.action_id is 'Identifier of the action, the same in every view of actions.';
comment on column bi.action_outcomes.title is 'Title; where the action centre gives none, that of the list of actions (acciones) for the same client and action.';
comment on column bi.action_outcomes.action_type is 'Kind of action as the API words it.';
comment on column bi.action_outcomes.status is 'Status as the API words it.';
comment on column bi.action_outcomes.priority is 'Priority as the API words it.';
comment on column bi.action_outcomes.priority_level is 'Priority to sort by, 1 the most urgent: critical 1, high 2, medium 3, low 4, lowest 5; a number as the API gives it.';
comment on column bi.action_outcomes.postponed_until_date is 'Until when it is postponed.';
comment on column bi.action_outcomes.impact_level is 'Impact as the API words it.';
comment on column bi.action_outcomes.impact_points is 'Impact in points of the AI Rank, -100 to 100.';
comment on column bi.action_outcomes.expectation_metric is 'Metric of the expectation, as first seen.';
comment on column bi.action_outcomes.expected_from_value is 'Lower end of the expectation, in the unit of its metric, as first seen.';
comment on column bi.action_outcomes.expected_to_value is 'Upper end of the expectation, in the unit of its metric, as first seen.';
comment on column bi.action_outcomes.expectation_frozen_date is 'When the expectation was frozen, as first seen.';
comment on column bi.action_outcomes.is_expectation_changed is 'Whether the API showed another expectation later; the first one stays here.';
comment on column bi.action_outcomes.observed_value is 'What was observed, in the unit of the metric.';
comment on column bi.action_outcomes.result_reading is 'Reading of the result, never causal.';
comment on column bi.action_outcomes.run_date is 'Run date that the row is of: the newest complete one.';
