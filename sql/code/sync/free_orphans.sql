-- The engine completes a job by its number, whoever works on it by then. So a worker that was given up and awoke may
-- delete the job that another one works on, whose queue then stays locked: the library has no function for this one. And
-- it may take a job after its jobs were freed.
create or replace function sync.free_orphans() returns void
  language plpgsql
  as $$
begin
  -- The first scheduler makes the queue.
  if to_regclass('airank_jobs.jobs') is null then
    return;
  end if;
  perform airank_jobs.force_unlock_workers(array_agg(distinct j.locked_by))
  from airank_jobs.jobs j
  where j.locked_by is not null and not exists (select from sync.worker w where w.pool = j.locked_by)
  having count(*) > 0;
  update airank_jobs._private_job_queues q set locked_by = null, locked_at = null
  where q.locked_by is not null
    and not exists (select from airank_jobs._private_jobs j where j.job_queue_id = q.id and j.locked_by = q.locked_by);
  delete from sync.job_death d where not exists (select from airank_jobs.jobs j where j.id = d.job_id);
end
$$;

comment on function sync.free_orphans is
  'Unlocks jobs whose worker nobody knows, and queues without a job that is worked on; forgets the deaths of jobs that are gone.';
