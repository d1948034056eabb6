create or replace function sync.run_is_alive(run_id bigint) returns boolean
  language sql stable
  return sync.lock_is_held(sync.run_lock_class(), run_id);
