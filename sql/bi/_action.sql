-- How the status of every action moved, one row an action and uninterrupted status, read from all its versions.
-- A record of an account-wide slice says whose it is: another client is another action.
-- The record's key comes first, because it is quick to sort by: it differs most, and the others hardly ever.
create or replace view bi_map.action_status_live as
select v.account, v.client_id, v.slice_client_id, v.record_key, v.id, v.title, v.status, lag(v.status) over w as previous_status,
  v.from_date, coalesce(lead(v.from_date) over w, v.last_until) as next_date
from (
  select *, row_number() over p = 1 or status is distinct from lag(status) over p as is_new,
    max(until) over (partition by record_key, slice_client_id, client_id, account) as last_until
  from bi_map.actions_version
  window p as (partition by record_key, slice_client_id, client_id, account order by from_date)
) as v
where v.is_new
window w as (partition by v.record_key, v.slice_client_id, v.client_id, v.account order by v.from_date);

-- The first expectation of every action that has one, and whether there was another one.
create or replace view bi_map.action_expectation_live as
select distinct on (record_key, slice_client_id, client_id, account) account, client_id, slice_client_id, record_key,
  expectation_metric, expectation_from, expectation_to, expectation_frozen,
  min(expectation_all::text) over w is distinct from max(expectation_all::text) over w as is_changed
from bi_map.actions_version
-- A number instead of an object is an expectation too.
cross join lateral (select coalesce(nullif(expectation, 'null'), to_jsonb(expectation_to)) as expectation_all) as e
where expectation_all is not null
window w as (partition by record_key, slice_client_id, client_id, account)
order by record_key, slice_client_id, client_id, account, from_date;

-- The same of all scopes: what is kept, and of scopes that are not kept as they are published, the versions.
create or replace view bi_map.action_status as
select k.account, k.client_id, k.slice_client_id, k.record_key, k.id, k.title, k.status, k.previous_status, k.from_date, k.next_date
from sync.newest as n
join bi_map.action_status_kept as k on k.account = n.account and k.slice_client_id = n.client_id
where n.stream = 'actions' and n.is_kept
union all
select l.account, l.client_id, l.slice_client_id, l.record_key, l.id, l.title, l.status, l.previous_status, l.from_date, l.next_date
from sync.newest as n
cross join lateral (
  select * from bi_map.action_status_live as l where l.account = n.account and l.slice_client_id = n.client_id offset 0
) as l
where n.stream = 'actions' and not n.is_kept;

create or replace view bi_map.action_expectation as
select k.account, k.client_id, k.slice_client_id, k.record_key, k.expectation_metric, k.expectation_from, k.expectation_to,
  k.expectation_frozen, k.is_changed
from sync.newest as n
join bi_map.action_expectation_kept as k on k.account = n.account and k.slice_client_id = n.client_id
where n.stream = 'actions' and n.is_kept
union all
select l.account, l.client_id, l.slice_client_id, l.record_key, l.expectation_metric, l.expectation_from, l.expectation_to,
  l.expectation_frozen, l.is_changed
from sync.newest as n
cross join lateral (
  select * from bi_map.action_expectation_live as l where l.account = n.account and l.slice_client_id = n.client_id offset 0
) as l
where n.stream = 'actions' and not n.is_kept;

-- Read by other rules than before, what is kept may be another.
delete from bi_map.action_status_kept;
delete from bi_map.action_expectation_kept;
update sync.newest set kept_date = null, kept_at = null where stream = 'actions' and kept_at is not null;
