-- row: a trigger that fired
-- question: Which triggers fired, when, and what was done?
-- group: actions
-- time: fired_date
create or replace view bi.triggers_fired as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  coalesce(x.date, (x.fired_at at time zone 'UTC')::date) as fired_date, -- Date on which it fired. <- triggers.date or triggers.fired_at
  x.fired_at, -- When it fired. <- triggers.fired_at
  coalesce(x.id, x.record_key) as trigger_id, -- Identifier of the entry. <- triggers.id or data
  x.name as trigger_name, -- Name of the trigger as the API words it. <- triggers.name
  x.before as before_value, -- Value before, in the unit of the trigger. <- triggers.before
  x.after as after_value, -- Value after, in the unit of the trigger. <- triggers.after
  x.threshold as threshold_value, -- Threshold, in the unit of the trigger. <- triggers.threshold
  x.done, -- What was done. <- triggers.done
  x.run_date
from bi_map.triggers as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (coalesce(x.date, (x.fired_at at time zone 'UTC')::date, x.run_date) >= c.left_on) is not true;
