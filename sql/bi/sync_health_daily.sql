-- Grain: one row an account, client, stream and run date.
-- Is the data fresh and complete?
create or replace view bi.sync_health_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.stream,
  x.status,
  x.completed_at is not null as is_complete,
  x.completed_at is not null and x.run_date = x.newest_date as is_fresh,
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
  x.walk
from (
  select s.*, m.newest_date from sync.slice s
  -- Grouped, so that a statement that does not ask for it does not join it.
  left join (
    select account, max(newest_date) as newest_date from bi_map.account_date group by account
  ) as m using (account)
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id;

comment on view bi.sync_health_daily is
  'Grain: one row an account, client, stream and run date. Is the data fresh and complete?';
comment on column bi.sync_health_daily.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.sync_health_daily.account is 'Account that the data was read with.';
comment on column bi.sync_health_daily.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.sync_health_daily.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.sync_health_daily.run_date is 'Run date of the slice: one row a planned date.';
comment on column bi.sync_health_daily.stream is 'Route of the API, as a name.';
comment on column bi.sync_health_daily.status is 'Status of the latest attempt.';
comment on column bi.sync_health_daily.is_complete is 'Whether the run date is published.';
comment on column bi.sync_health_daily.is_fresh is 'Complete, and of the newest run date of the account.';
comment on column bi.sync_health_daily.newest_run_date is 'Newest run date that was planned for the account.';
comment on column bi.sync_health_daily.published_at is 'When it was published.';
comment on column bi.sync_health_daily.record_count is 'Number of records.';
comment on column bi.sync_health_daily.new_count is 'Number of records that are new.';
comment on column bi.sync_health_daily.changed_count is 'Number of records that changed.';
comment on column bi.sync_health_daily.vanished_count is 'Number of records that are gone.';
comment on column bi.sync_health_daily.key_conflict_count is 'Number of records whose key was missing or repeated.';
comment on column bi.sync_health_daily.request_count is 'Number of requests of the latest walk.';
comment on column bi.sync_health_daily.error is 'Why it failed.';
comment on column bi.sync_health_daily.client_left_on is 'Since when the client is no longer listed: nothing is missing of it from then on; empty while it is.';
comment on column bi.sync_health_daily.walk is 'How it was read: full, every page; head, the first pages; details, one request a record; left, nothing, because the client was no longer listed.';
