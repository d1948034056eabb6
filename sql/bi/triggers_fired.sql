-- Grain: one row a trigger that fired.
-- Which triggers fired, when, and what was done?
create or replace view bi.triggers_fired as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  coalesce(x.date, (x.fired_at at time zone 'UTC')::date) as fired_date,
  x.fired_at,
  coalesce(x.id, x.record_key) as trigger_id,
  x.name as trigger_name,
  x.before as before_value,
  x.after as after_value,
  x.threshold as threshold_value,
  x.done,
  x.run_date
from bi_map.triggers as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (coalesce(x.date, (x.fired_at at time zone 'UTC')::date, x.run_date) >= c.left_on) is not true;

comment on view bi.triggers_fired is
  'Grain: one row a trigger that fired. Which triggers fired, when, and what was done?';
comment on column bi.triggers_fired.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.triggers_fired.account is 'Account that the data was read with.';
comment on column bi.triggers_fired.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.triggers_fired.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.triggers_fired.fired_date is 'Date on which it fired.';
comment on column bi.triggers_fired.fired_at is 'When it fired.';
comment on column bi.triggers_fired.trigger_id is 'Identifier of the entry.';
comment on column bi.triggers_fired.trigger_name is 'Name of the trigger as the API words it.';
comment on column bi.triggers_fired.before_value is 'Value before, in the unit of the trigger.';
comment on column bi.triggers_fired.after_value is 'Value after, in the unit of the trigger.';
comment on column bi.triggers_fired.threshold_value is 'Threshold, in the unit of the trigger.';
comment on column bi.triggers_fired.done is 'What was done.';
comment on column bi.triggers_fired.run_date is 'Run date that the row is of: the newest complete one.';
