-- row: an account, client and stream on a run date
-- question: Is the data fresh and complete?
-- group: data
-- time: run_date
-- loaded: newest_run_date
create or replace view bi_history.freshness as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.run_date, -- Run date of the slice: one row a planned date.
  x.stream, -- Route of the API, as a name.
  x.status, -- Status of the latest attempt.
  x.completed_at is not null as is_complete, -- Whether the run date is published. [each date]
  x.completed_at is not null and x.run_date = x.newest_date as is_fresh, -- Complete, and of the newest run date of the account; false on each earlier date, where is_complete says how it was. [none]
  x.newest_date as newest_run_date, -- Newest run date that was planned for the account.
  x.completed_at as published_at, -- When it was published.
  x.records as record_count, -- Number of records.
  x.inserted as new_count, -- Number of records that are new. [each date]
  x.changed as changed_count, -- Number of records that changed. [each date]
  x.vanished as vanished_count, -- Number of records that are gone. [each date]
  x.key_conflicts as key_conflict_count, -- Number of records whose key was missing or repeated. [each date]
  x.requests::bigint as request_count, -- Number of requests of the latest walk. [each date]
  x.error, -- Why it failed.
  c.left_on as client_left_on, -- Since when the client is no longer listed: nothing is missing of it from then on; empty while it is.
  x.completed_at is not null and x.next_date is null and c.left_on is null as is_latest,
  x.completed_at is not null and (date_trunc('week', x.next_date::timestamp) > x.run_date) is not false as is_week_end,
  x.completed_at is not null and (date_trunc('month', x.next_date::timestamp) > x.run_date) is not false as is_month_end,
  x.walk -- How it was read: full, every page; incremental, the first pages; details, one request a record; left, nothing, because the client was no longer listed.
from (
  select s.*, m.newest_date from sync.slice s
  -- Grouped, so that a statement that does not ask for it does not join it.
  left join (
    select account, max(newest_date) as newest_date from bi_map.account_date group by account
  ) as m using (account)
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id;
