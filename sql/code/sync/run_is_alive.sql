create or replace function sync.run_is_alive(p_account text, p_run bigint) returns boolean
  language sql stable
  return exists (
    select from sync.run r
    where r.account = p_account and r.id = p_run and r.status = 'running' and r.given_up_at is null
      and sync.lock_is_held(sync.worker_lock_class(), r.worker_id)
  );

comment on function sync.run_is_alive is 'The process that works on the run holds its lock.';
