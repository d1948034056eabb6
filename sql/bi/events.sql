-- row: an event
-- question: What happened to a client, and when: what to know when a line on a chart bends?
-- group: actions
-- line: what happened, and when
-- time: event_date
create or replace view bi.events as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.event_date, -- When it happened; of the status of an action, since when it has it. <- rank.date or rank.measured_at | data | actions.created | actions.updated
  x.event_type, -- method_change, action, alert or note.
  x.event_id, -- What it is about: the method, the action, the alert or the note. An action has several events. <- rank.method | actions.id or data | data
  coalesce(x.title, case when x.event_type = 'action' then (
    select a.title from bi_map.action_title as a
    where a.account = x.account and a.client_id = x.client_id and a.action_id = x.event_id
  ) end) as title, -- What happened; of an action its title, or that of the list of actions (acciones) for the same client and action. <- (rank.method | actions.title | data) or acciones.title
  x.detail -- Of an action created, or its status as the API words it; of a method the one before; of an alert what else is known. <- rank.method | actions.status | data
from (
  -- The first method of a client changes nothing.
  select m.account, m.client_id, m.first_date as event_date, 'method_change' as event_type, m.method as event_id,
    'AI Rank by method ' || m.method as title, 'before: ' || m.previous as detail
  from (
    select account, client_id, method, first_date, lag(method) over w as previous, min(first_date) over w as begin_date
    from (
      select p.account, p.client_id, p.method, min(p.date) as first_date
      from bi_map.rank_point as p
      where p.excluded_reason is null
      group by p.account, p.client_id, p.method
    ) as f
    window w as (partition by account, client_id order by first_date, method)
  ) as m
  where m.first_date > m.begin_date
  union all
  -- A record that is there twice counts once: the last one is taken.
  (select distinct on (a.account, a.client_id, coalesce(a.id, a.record_key))
    a.account, a.client_id, a.created, 'action', coalesce(a.id, a.record_key), a.title, 'created'
  from bi_map.actions_version as a
  where a.created is not null
  order by a.account, a.client_id, coalesce(a.id, a.record_key), a.until desc, a.from_date desc, a.created)
  union all
  select s.account, s.client_id, s.since_date, 'action', coalesce(s.id, s.record_key), s.title,
    s.status || ' (before: ' || s.previous_status || ')'
  from typed.action_status as s
  where s.status is not null and s.previous_status is not null
  union all
  select n.account, n.client_id, n.alert_date, 'alert', n.id::text, n.title, n.detail
  from sync.alert as n
  where not n.is_silent
  union all
  select n.account, n.client_id, n.note_date, 'note', n.id::text, n.text, null
  from sync.note as n
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.event_date >= c.left_on) is not true;
