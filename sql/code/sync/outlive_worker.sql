-- Others may not have given the worker up yet: a stopping one is ended by others, and its jobs are not blamed. Or they
-- have, and the deaths that they counted are taken back.
create or replace function sync.outlive_worker(p_worker bigint) returns void
  language plpgsql
  as $$
begin
  update sync.worker w set state = 'stopping' where w.id = p_worker;
  delete from sync.job_death d where d.worker_id = p_worker;
end
$$;

comment on function sync.outlive_worker is
  'A process lost the database and lives: it has this number no more, and none of its jobs ended it.';
