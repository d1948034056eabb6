create or replace function sync.batch_is_alive(batch_id bigint) returns boolean
  language sql stable
  return exists (
    select from pg_locks
    where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())
      and classid::bigint = sync.batch_lock_class() and objid::bigint = batch_id and objsubid = 2
  );
