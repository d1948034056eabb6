-- The scheduler that works holds a lock of this class, and so does whoever puts a job into the queue or runs it by hand.
create or replace function sync.schedule_lock_class() returns integer
  language sql immutable parallel safe
  return 1634493292;

comment on function sync.schedule_lock_class is 'First key of the advisory locks of the scheduler (second key 0) and of jobs (hash of the name).';
