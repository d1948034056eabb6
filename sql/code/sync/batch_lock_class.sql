-- A batch is alive while its process holds this lock, whether or not one of its runs works just now.
create or replace function sync.batch_lock_class() returns integer
  language sql immutable parallel safe
  return 1634493293;
