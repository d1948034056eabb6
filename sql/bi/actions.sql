-- row: an action, as it is now
-- question: What was expected of an action when it was frozen, and what was observed?
-- group: actions
-- line: what was expected of each, and what was observed
create or replace view bi.actions as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.created as created_date, -- When it was created. <- actions.created
  coalesce(x.id, x.record_key) as action_id, -- Identifier of the action, the same in every view of actions. <- actions.id or data
  coalesce(x.title, (
    select a.title from bi_map.action_title as a
    where a.account = x.account and a.client_id = x.client_id and a.action_id = x.id
  )) as title, -- Title; where the action centre gives none, that of the list of actions (acciones) for the same client and action. <- actions.title or acciones.title
  x.kind as action_type, -- Kind of action as the API words it. <- actions.kind
  x.status, -- Status as the API words it. <- actions.status
  x.priority, -- Priority as the API words it. <- actions.priority
  sync.priority_level(x.priority) as priority_level, -- Priority to sort by, 1 the most urgent: critical 1, high 2, medium 3, low 4, lowest 5; a number as the API gives it. <- actions.priority
  x.postponed_until as postponed_until_date, -- Until when it is postponed. <- actions.postponed_until
  x.impact_level, -- Impact as the API words it. <- actions.impact_level
  x.impact_points, -- Impact in points of the AI Rank, -100 to 100. <- actions.impact_points
  f.expectation_metric as expectation_metric, -- Metric of the expectation, as first seen. <- actions.expectation_metric
  f.expectation_from as expected_from_value, -- From what value the expectation goes, in the unit of its metric, as first seen: the lower end or the value then, as the API means it. <- actions.expectation_from
  f.expectation_to as expected_to_value, -- To what value it goes, in the unit of its metric, as first seen: the upper end or the aim, as the API means it. <- actions.expectation_to
  f.expectation_frozen as expectation_frozen_date, -- When the expectation was frozen, as first seen. <- actions.expectation_frozen
  coalesce(f.is_changed, false) as is_expectation_changed, -- Whether the API showed another expectation later; the first one stays here. <- actions.expectation or actions.expectation_to
  x.result_observed as observed_value, -- What was observed, in the unit of the metric. <- actions.result_observed
  x.result_reading, -- Reading of the result, never causal. <- actions.result_reading
  x.run_date
from bi_map.actions as x
left join typed.action_expectation as f
  on f.account = x.account and f.client_id = x.client_id and f.slice_client_id = x.slice_client_id and f.record_key = x.record_key
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
