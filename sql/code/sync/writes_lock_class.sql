-- The process that sends an account's writes of one kind holds this lock: whatever stands as sending without it is unknown.
create or replace function sync.writes_lock_class() returns integer
  language sql immutable parallel safe
  return 1634493297;

comment on function sync.writes_lock_class is 'First key of the advisory locks of writes (second key: hash of account and kind).';
