-- Waits for each, as a statement that is under way may still commit. Another role's connections cannot be ended.
create or replace function sync.end_connections(p_worker bigint) returns boolean
  language sql
  begin atomic
    select coalesce(bool_and(pg_terminate_backend(a.pid, 1000)), true)
    from sync.worker w
    join pg_stat_activity a on a.application_name = w.application
    where w.id = p_worker and a.datname = current_database() and a.pid <> pg_backend_pid() and a.usename = current_user;
  end;

comment on function sync.end_connections is 'Ends the connections of a worker that is given up, and with them the locks that it holds. False: some still end.';
