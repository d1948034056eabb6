-- row: an action and uninterrupted status
-- question: How did the status of actions move? Statuses pass through as the API words them.
-- group: actions
-- time: from_date
create or replace view bi.action_status_history as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.since_date as from_date, -- Since when it has the status, as the action says; where it does not, the first run date with it. Empty for the status that an action was first read with and does not date. <- actions.updated
  least(nullif(x.next_date, 'infinity'::date), c.left_on) as until_date, -- Since when it has another one, or is gone; empty while it lasts. <- actions.updated or data
  coalesce(x.id, x.record_key) as action_id, -- Identifier of the action, the same in every view of actions. <- actions.id or data
  coalesce(x.title, (
    select a.title from bi_map.action_title as a
    where a.account = x.account and a.client_id = x.client_id and a.action_id = x.id
  )) as title, -- Title; where the action centre gives none, that of the list of actions (acciones) for the same client and action. <- actions.title or acciones.title
  x.status, -- Status as the API words it. <- actions.status
  x.previous_status, -- Status before; empty for the first one seen. <- actions.status
  x.from_date as first_run_date -- First run date on which it was read with the status.
from typed.action_status as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.from_date >= c.left_on) is not true;
