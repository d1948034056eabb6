-- Its own transaction, before free_worker: whatever its process still begins is refused from then on (run_may_write),
-- and whatever it has begun ends with its connections.
create or replace function sync.give_up_worker(p_worker bigint) returns void
  language plpgsql
  as $$
begin
  update sync.run set given_up_at = clock_timestamp() where worker_id = p_worker and status = 'running' and given_up_at is null;
  -- Another role's connections cannot be ended; the check of the run refuses what they begin.
  perform pg_terminate_backend(a.pid)
  from sync.worker w
  join pg_stat_activity a on a.application_name = w.application
  where w.id = p_worker and a.datname = current_database() and a.pid <> pg_backend_pid() and a.usename = current_user;
end
$$;

comment on function sync.give_up_worker is 'Refuses whatever the process still writes, and ends its connections.';
