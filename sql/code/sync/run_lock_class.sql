-- A run is alive while its process holds this lock; a killed process loses it with its connection.
create or replace function sync.run_lock_class() returns integer
  language sql immutable parallel safe
  return 1634493291;
