-- A worker that was given up and awoke may take a job after its jobs were freed. And one may die between putting a job
-- back, which gives its key to another, and ending it.
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
  perform airank_jobs.complete_jobs(array_agg(j.id))
  from airank_jobs.jobs j
  where j.key is null and j.locked_at is null
  having count(*) > 0;
  delete from sync.job_death d where not exists (select from airank_jobs.jobs j where j.id = d.job_id);
end
$$;

comment on function sync.free_orphans is
  'Unlocks jobs whose worker nobody knows, removes those without a key, and forgets the deaths of jobs that are gone.';
