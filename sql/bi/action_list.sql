-- row: an action of the account's list, as it is now
-- question: Which actions does the account have, beside the action centre?
-- group: actions
create or replace view bi.action_list as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.created as created_date, -- When it was created. <- acciones.created
  coalesce(x.id, x.record_key) as action_id, -- Identifier of the action, the same in every view of actions. <- acciones.id or data
  x.title, -- Title. <- acciones.title
  x.kind as action_type, -- Kind of action as the API words it. <- acciones.kind
  x.status, -- Status as the API words it. <- acciones.status
  x.priority, -- Priority as the API words it. <- acciones.priority
  sync.priority_level(x.priority) as priority_level, -- Priority to sort by, 1 the most urgent: critical 1, high 2, medium 3, low 4, lowest 5; a number as the API gives it. <- acciones.priority
  x.run_date
from bi_map.acciones as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
