-- Grain: one row a slice: account, client, stream and run date.
-- Is the data fresh and complete?
create or replace view bi.sync_health as
select
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
  x.requests as request_count,
  x.error,
  c.left_on as client_left_on
from (
  select s.*, m.newest_date from sync.slice s
  join (
    -- Found through the index: an account and its newest date at a time.
    with recursive newest as (
      (select a.account, d.run_date
        from (select account from sync.slice order by account limit 1) as a
        cross join lateral (select max(run_date) as run_date from sync.slice where account = a.account) as d)
      union all
      select n.account, n.run_date
      from newest as w
      cross join lateral (
        select a.account, d.run_date
        from (select account from sync.slice where account > w.account order by account limit 1) as a
        cross join lateral (select max(run_date) as run_date from sync.slice where account = a.account) as d
      ) as n
    )
    select account, run_date as newest_date from newest
  ) as m using (account)
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id;

comment on view bi.sync_health is
  'Grain: one row a slice: account, client, stream and run date. Is the data fresh and complete?';
comment on column bi.sync_health.account is 'Account that the data was read with.';
comment on column bi.sync_health.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.sync_health.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.sync_health.run_date is 'The logical day of the data: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.sync_health.stream is 'Route of the API, as a name.';
comment on column bi.sync_health.status is 'Status of the latest attempt.';
comment on column bi.sync_health.is_complete is 'Whether the run date is published.';
comment on column bi.sync_health.is_fresh is 'Complete, and of the newest run date of the account.';
comment on column bi.sync_health.newest_run_date is 'Newest run date that was planned for the account.';
comment on column bi.sync_health.published_at is 'When it was published.';
comment on column bi.sync_health.record_count is 'Records.';
comment on column bi.sync_health.new_count is 'Records that are new.';
comment on column bi.sync_health.changed_count is 'Records that changed.';
comment on column bi.sync_health.vanished_count is 'Records that are gone.';
comment on column bi.sync_health.key_conflict_count is 'Records whose key was missing or repeated.';
comment on column bi.sync_health.request_count is 'Requests of the latest walk.';
comment on column bi.sync_health.error is 'Why it failed.';
comment on column bi.sync_health.client_left_on is 'Since when the client is no longer listed: nothing is missing of it from then on; empty while it is.';
