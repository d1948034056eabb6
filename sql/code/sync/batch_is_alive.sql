create or replace function sync.batch_is_alive(batch_id bigint) returns boolean
  language sql stable
  return sync.lock_is_held(sync.batch_lock_class(), batch_id);
