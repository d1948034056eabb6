-- row: an account, client and stream, as it is now
-- question: Is the data fresh and complete?
-- group: data
-- line: how old each stream of each client is
-- loaded: complete_run_date
create or replace view bi.freshness as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.stream, -- Route of the API, as a name.
  x.status, -- Status of the latest attempt.
  x.completed_at is not null as is_complete, -- Whether that run date is published.
  x.completed_at is not null and x.run_date = x.newest_date as is_fresh, -- Complete, and of the newest run date of the account.
  x.complete_date as complete_run_date, -- Newest run date that is published; empty where none ever was.
  x.newest_date as newest_run_date, -- Newest run date that was planned for the account.
  x.completed_at as published_at, -- When it was published.
  x.records as record_count, -- Number of records.
  x.inserted as new_count, -- Number of records that are new.
  x.changed as changed_count, -- Number of records that changed.
  x.vanished as vanished_count, -- Number of records that are gone.
  x.key_conflicts as key_conflict_count, -- Number of records whose key was missing or repeated.
  x.requests::bigint as request_count, -- Number of requests of the latest walk.
  x.error, -- Why it failed.
  c.left_on as client_left_on, -- Since when the client is no longer listed: nothing is missing of it from then on; empty while it is.
  x.run_date -- Run date of the latest attempt.
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
