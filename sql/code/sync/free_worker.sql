create or replace function sync.free_worker(p_worker bigint)
  returns table (host text, pid integer, jobs integer, slices integer)
  language plpgsql
  -- As in give_up_worker.
  set lock_timeout = '500ms'
  as $$
declare
  gone sync.worker;
begin
  select * into gone from sync.worker w where w.id = p_worker for update;
  if not found then
    return;
  end if;
  perform sync.note_deaths(p_worker);
  update sync.slice s set status = 'planned', run_id = null, updated_at = clock_timestamp()
  from sync.run r
  where r.worker_id = p_worker and r.status = 'running' and s.account = r.account and s.run_id = r.id and s.status = 'walking';
  get diagnostics slices = row_count;
  update sync.run r set status = 'stopped', finished_at = clock_timestamp() where r.worker_id = p_worker and r.status = 'running';
  update sync.batch b set status = 'stopped', finished_at = clock_timestamp() where b.worker_id = p_worker and b.status = 'running';
  jobs := 0;
  if gone.pool is not null then
    select count(*) into jobs from airank_jobs.jobs j where j.locked_by = gone.pool;
    -- Its tries say nothing of the job; deaths are counted apart.
    update airank_jobs._private_jobs j set attempts = 0 where j.locked_by = gone.pool;
    perform airank_jobs.force_unlock_workers(array[gone.pool]);
  end if;
  delete from sync.worker w where w.id = p_worker;
  host := gone.host;
  pid := gone.pid;
  return next;
end
$$;

comment on function sync.free_worker is
  'After give_up_worker, in a transaction of its own: slices, jobs and queues of a process that is gone are free for others. No row: somebody else was faster.';
