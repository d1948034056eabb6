/*
row: an account, client, stream and run date
question: Is the data fresh and complete?
time: run_date
loaded: newest_run_date
also: client
  run_date: Run date of the slice: one row a planned date.
  stream: Route of the API, as a name.
  status: Status of the latest attempt.
  is_complete: Whether the run date is published.
  is_fresh: Complete, and of the newest run date of the account.
  newest_run_date: Newest run date that was planned for the account.
  published_at: When it was published.
  record_count: Number of records.
  new_count: Number of records that are new.
  changed_count: Number of records that changed.
  vanished_count: Number of records that are gone.
  key_conflict_count: Number of records whose key was missing or repeated.
  request_count: Number of requests of the latest walk.
  error: Why it failed.
  client_left_on: Since when the client is no longer listed: nothing is missing of it from then on; empty while it is.
  walk: How it was read: full, every page; head, the first pages; details, one request a record; left, nothing, because the client was no longer listed.
*/
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
