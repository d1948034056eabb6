-- Deaths of jobs. A worker works on many jobs at once, and one of them may end it each time, as by memory. So:
--   counted    here, when a worker whose lock is gone is freed: a row of sync.job_death for each of its jobs
--   not        for a worker that was stopping, which others ended; nor for a job that it had for two minutes and that got
--              further in them: that one begins at 0 again
--   taken back by the process itself (outlive_worker), when it lost the database and lives: a restart of Postgres or a lost
--              connection is no death, whoever looked meanwhile. A row for each worker, so that it takes back its own
--   forgotten  with the job (free_orphans): when its run has ended well, failed, waits for the budget or was stopped. What
--              goes on is another job, with another number
--   in use     from the third on the job waits for a while of its own, so that the one that ends workers is begun apart
--              from the others; after the eighth whoever takes it ends it as failed (take-job.ts). The run then says so
--              in its summary, for what the same due moment tries again
create or replace function sync.free_worker(p_worker bigint)
  returns table (host text, pid integer, jobs integer, slices integer)
  language plpgsql
  -- As in give_up_worker.
  set lock_timeout = '500ms'
  as $$
declare
  long_enough constant interval := '2 minutes';
  first_pause constant interval := '1 minute';
  longest_pause constant interval := '1 hour';
  gone sync.worker;
  taken bigint[];
  got_further bigint[];
begin
  select * into gone from sync.worker w where w.id = p_worker for update;
  if not found then
    return;
  end if;
  if gone.pool is not null then
    select array_agg(j.id), array_agg(j.id) filter (where exists (
      select from sync.run r
      where r.worker_id = p_worker and r.status = 'running' and r.account = split_part(j.key, ':', 3)
        and r.batch_id = split_part(j.key, ':', 1)::bigint and r.started_at <= coalesce(gone.missed_at, gone.given_up_at) - long_enough
        and exists (
          select from sync.slice s
          where s.run_id = r.id and s.account = r.account and (s.status not in ('planned', 'walking') or exists (
            select from sync.page p where p.account = s.account and p.slice_id = s.id and p.fetched_at >= r.started_at))
        )
    )) into taken, got_further
    from airank_jobs.jobs j where j.locked_by = gone.pool and j.key is not null;
    perform airank_jobs.force_unlock_workers(array[gone.pool]);
    -- Its tries say nothing of the job.
    perform airank_jobs.reschedule_jobs(taken, attempts => 0);
  end if;
  -- One by hand takes no jobs, and the queue need not have been made.
  if gone.given_up_at is not null and gone.pool is not null then
    delete from sync.job_death d where d.job_id = any (got_further);
    insert into sync.job_death (job_id, worker_id)
    select t.id, p_worker from unnest(taken) as t (id)
    where gone.state <> 'stopping' and t.id = any (got_further) is not true;
    perform airank_jobs.reschedule_jobs(array[d.job_id],
      run_at => clock_timestamp() + random() * least(first_pause * 4 ^ (count(*) - 3), longest_pause))
    from sync.job_death d where d.job_id = any (taken) group by d.job_id having count(*) >= 3;
  end if;
  update sync.slice s set status = 'planned', run_id = null, updated_at = clock_timestamp()
  from sync.run r
  where r.worker_id = p_worker and r.status = 'running' and s.account = r.account and s.run_id = r.id and s.status = 'walking';
  get diagnostics slices = row_count;
  update sync.run r set status = 'stopped', finished_at = clock_timestamp() where r.worker_id = p_worker and r.status = 'running';
  update sync.batch b set status = 'stopped', finished_at = clock_timestamp() where b.worker_id = p_worker and b.status = 'running';
  delete from sync.worker w where w.id = p_worker;
  host := gone.host;
  pid := gone.pid;
  jobs := coalesce(cardinality(taken), 0);
  return next;
end
$$;

comment on function sync.free_worker is
  'After give_up_worker, in a transaction of its own: slices and jobs of a process that is gone are free for others. No row: somebody else was faster.';
