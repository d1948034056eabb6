-- Every worker frees what was locked more than four hours ago, whoever works on it. The library has no function for this.
create or replace function sync.renew_locks(p_pool text) returns void
  language plpgsql
  as $$
begin
  update airank_jobs._private_jobs set locked_at = now() where locked_by = p_pool;
  update airank_jobs._private_job_queues set locked_at = now() where locked_by = p_pool;
end
$$;

comment on function sync.renew_locks is 'Of the jobs that a living worker works on; now and then, for runs that take hours.';
