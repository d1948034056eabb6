-- Before free_worker, in a transaction of its own: from its end on, whatever the process begins is refused, as runs and
-- new runs look here (run_may_write, startRun). What it has begun before ends with its connections (end_connections).
create or replace function sync.give_up_worker(p_worker bigint) returns void
  language plpgsql
  -- A frozen manual command holds its locks for a minute at most. Stop waiting early, so that others are not delayed.
  set lock_timeout = '500ms'
  as $$
begin
  update sync.worker set given_up_at = clock_timestamp() where id = p_worker and given_up_at is null;
  update sync.run set given_up_at = clock_timestamp() where worker_id = p_worker and status = 'running' and given_up_at is null;
end
$$;

comment on function sync.give_up_worker is 'Refuses whatever the process still begins.';
