create or replace function sync.run_is_alive(run_id bigint) returns boolean
  language sql stable
  return exists (
    select from pg_locks
    where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())
      and classid::bigint = sync.run_lock_class() and objid::bigint = run_id and objsubid = 2
  );
