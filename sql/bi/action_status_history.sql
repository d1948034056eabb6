-- Grain: one row an action and uninterrupted status.
-- How did the status of actions move? Statuses pass through as the API words them.
create or replace view bi.action_status_history as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.from_date,
  least(nullif(x.next_date, 'infinity'::date), c.left_on) as until_date,
  coalesce(x.id, x.record_key) as action_id,
  coalesce(x.title, (
    select a.title from bi_map.action_title as a
    where a.account = x.account and a.client_id = x.client_id and a.action_id = x.id
  )) as title,
  x.status,
  x.previous_status
from typed.action_status as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.from_date >= c.left_on) is not true;

comment on view bi.action_status_history is
  'Grain: one row an action and uninterrupted status. How did the status of actions move? Statuses pass through as the API words them.';
comment on column bi.action_status_history.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.action_status_history.account is 'Account that the data was read with.';
comment on column bi.action_status_history.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.action_status_history.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.action_status_history.from_date is 'First run date with the status.';
comment on column bi.action_status_history.until_date is 'First run date without it; empty while it lasts.';
comment on column bi.action_status_history.action_id is 'Identifier of the action, the same in every view of actions.';
comment on column bi.action_status_history.title is 'Title; where the action centre gives none, that of the list of actions (acciones) for the same client and action.';
comment on column bi.action_status_history.status is 'Status as the API words it.';
comment on column bi.action_status_history.previous_status is 'Status before; empty for the first one seen.';
