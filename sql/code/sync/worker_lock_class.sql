-- A process that works on accounts holds one lock of this class, whatever it works on: without it, it is dead.
create or replace function sync.worker_lock_class() returns integer
  language sql immutable parallel safe
  return 1634493296;

comment on function sync.worker_lock_class is 'First key of the advisory locks of workers (second key: sync.worker.id).';
