-- The process that refreshes the views after a batch holds this lock (second key 0); others wait for their turn.
create or replace function sync.refresh_lock_class() returns integer
  language sql immutable parallel safe
  return 1634493294;

comment on function sync.refresh_lock_class is
  'First key of the advisory lock of the refresh of the views (second key 0).';
