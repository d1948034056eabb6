-- Grain: one row an action and uninterrupted status.
-- How did the status of actions move? Statuses pass through as the API words them.
create or replace view bi.action_status_history as
select
  x.account,
  x.client_id,
  c.client_name,
  coalesce(x.id, x.record_key) as action_id,
  x.title,
  x.status,
  x.previous_status,
  x.from_date,
  least(nullif(x.next_date, 'infinity'::date), c.left_on) as until_date
from typed.action_status as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.from_date >= c.left_on) is not true;

comment on view bi.action_status_history is
  'Grain: one row an action and uninterrupted status. How did the status of actions move? Statuses pass through as the API words them.';
comment on column bi.action_status_history.account is 'Account that the data was read with.';
comment on column bi.action_status_history.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.action_status_history.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.action_status_history.action_id is 'Identifier of the action.';
comment on column bi.action_status_history.title is 'Title.';
comment on column bi.action_status_history.status is 'Status as the API words it.';
comment on column bi.action_status_history.previous_status is 'Status before; empty for the first one seen.';
comment on column bi.action_status_history.from_date is 'First run date with the status.';
comment on column bi.action_status_history.until_date is 'First run date without it; empty while it lasts.';
