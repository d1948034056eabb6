-- The process that looks for alerts and tells them holds this lock (second key 0): two would tell twice.
create or replace function sync.alerts_lock_class() returns integer
  language sql immutable parallel safe
  return 1634493295;

comment on function sync.alerts_lock_class is 'First key of the advisory lock of the alerts (second key 0).';
