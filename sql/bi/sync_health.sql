-- Grain: one row an account, client and stream, as it is now.
-- Is the data fresh and complete?
create or replace view bi.sync_health as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.stream,
  x.status,
  x.completed_at is not null as is_complete,
  x.completed_at is not null and x.run_date = x.newest_date as is_fresh,
  x.complete_date as complete_run_date,
  x.newest_date as newest_run_date,
  x.completed_at as published_at,
  x.records as record_count,
  x.inserted as new_count,
  x.changed as changed_count,
  x.vanished as vanished_count,
  x.key_conflicts as key_conflict_count,
  x.requests::bigint as request_count,
  x.error,
  c.left_on as client_left_on,
  x.run_date
from (
  select s.*, n.run_date as complete_date, m.newest_date
  from bi_map.account_date as m
  join sync.newest as n on n.account = m.account
  cross join lateral (
    select s.* from sync.slice as s
    where s.account = n.account and s.stream = n.stream and s.client_id = n.client_id and s.run_date >= n.run_date
    order by s.run_date desc limit 1
  ) as s
  union all
  -- Never published, and planned on the newest date.
  select s.*, null, m.newest_date
  from bi_map.account_date as m
  join sync.slice as s on s.account = m.account and s.run_date = m.newest_date and s.completed_at is null
  where not exists (
    select from sync.newest as n where n.account = s.account and n.stream = s.stream and n.client_id = s.client_id
  )
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id;

comment on view bi.sync_health is
  'Grain: one row an account, client and stream, as it is now. Is the data fresh and complete?';
comment on column bi.sync_health.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.sync_health.account is 'Account that the data was read with.';
comment on column bi.sync_health.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.sync_health.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.sync_health.stream is 'Route of the API, as a name.';
comment on column bi.sync_health.status is 'Status of the latest attempt.';
comment on column bi.sync_health.is_complete is 'Whether that run date is published.';
comment on column bi.sync_health.is_fresh is 'Complete, and of the newest run date of the account.';
comment on column bi.sync_health.complete_run_date is 'Newest run date that is published; empty where none ever was.';
comment on column bi.sync_health.newest_run_date is 'Newest run date that was planned for the account.';
comment on column bi.sync_health.published_at is 'When it was published.';
comment on column bi.sync_health.record_count is 'Number of records.';
comment on column bi.sync_health.new_count is 'Number of records that are new.';
comment on column bi.sync_health.changed_count is 'Number of records that changed.';
comment on column bi.sync_health.vanished_count is 'Number of records that are gone.';
comment on column bi.sync_health.key_conflict_count is 'Number of records whose key was missing or repeated.';
comment on column bi.sync_health.request_count is 'Number of requests of the latest walk.';
comment on column bi.sync_health.error is 'Why it failed.';
comment on column bi.sync_health.client_left_on is 'Since when the client is no longer listed: nothing is missing of it from then on; empty while it is.';
comment on column bi.sync_health.run_date is 'Run date of the latest attempt.';
