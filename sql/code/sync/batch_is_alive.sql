create or replace function sync.batch_is_alive(p_batch bigint) returns boolean
  language sql stable
  return exists (
    select from sync.batch b
    where b.id = p_batch
      and case when b.is_queued then b.settled_at is null else sync.lock_is_held(sync.worker_lock_class(), b.worker_id) end
  );

comment on function sync.batch_is_alive is 'The process that works on the batch holds its lock; of a queued one: its account runs have not all ended.';
