-- Grain: one row an action of the account's list, as it is now.
-- Which actions does the account have, beside the action centre?
create or replace view bi.action_list as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.created as created_date,
  coalesce(x.id, x.record_key) as action_id,
  x.title,
  x.kind as action_type,
  x.status,
  x.priority,
  sync.priority_level(x.priority) as priority_level,
  x.run_date
from bi_map.acciones as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.action_list is
  'Grain: one row an action of the account''s list, as it is now. Which actions does the account have, beside the action centre?';
comment on column bi.action_list.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.action_list.account is 'Account that the data was read with.';
comment on column bi.action_list.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.action_list.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.action_list.created_date is 'When it was created.';
comment on column bi.action_list.action_id is 'Identifier of the action, the same in every view of actions.';
comment on column bi.action_list.title is 'Title.';
comment on column bi.action_list.action_type is 'Kind of action as the API words it.';
comment on column bi.action_list.status is 'Status as the API words it.';
comment on column bi.action_list.priority is 'Priority as the API words it.';
comment on column bi.action_list.priority_level is 'Priority to sort by, 1 the most urgent: critical 1, high 2, medium 3, low 4, lowest 5; a number as the API gives it.';
comment on column bi.action_list.run_date is 'Run date that the row is of: the newest complete one.';
