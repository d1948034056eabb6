-- Complete run dates of every scope, each with the one before: what lies between two of them is a change.
create or replace view bi_map.complete_date as
select stream, account, client_id, run_date,
  lag(run_date) over (partition by stream, account, client_id order by run_date) as previous_run_date
from sync.slice
where completed_at is not null;
