-- The engine completes a job by its number, whoever works on it by then. So a worker that was given up and awoke may
-- delete the job that another one works on, whose queue then stays locked; and it may take a job after it was freed.
create or replace function sync.free_orphans() returns void
  language plpgsql
  as $$
declare
  unknown text[];
begin
  select array_agg(distinct l.locked_by) into unknown
  from (
    select locked_by from airank_jobs._private_jobs where locked_by is not null
    union
    select locked_by from airank_jobs._private_job_queues where locked_by is not null
  ) l
  where not exists (select from sync.worker w where w.pool = l.locked_by);
  if unknown is not null then
    perform airank_jobs.force_unlock_workers(unknown);
  end if;
  update airank_jobs._private_job_queues q set locked_by = null, locked_at = null
  where q.locked_by is not null
    and not exists (select from airank_jobs._private_jobs j where j.job_queue_id = q.id and j.locked_by = q.locked_by);
end
$$;

comment on function sync.free_orphans is 'Unlocks jobs whose worker nobody knows, and queues without a job that is worked on.';
