create or replace function sync.lock_is_held(class integer, id bigint) returns boolean
  language sql stable
  return exists (
    select from pg_locks
    where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())
      and classid::bigint = class and objid::bigint = id and objsubid = 2
  );

comment on function sync.lock_is_held is 'Some process holds that advisory lock of two keys in this database.';
