-- A query that names the queue's tables fails where they are not there yet.
create or replace function sync.queued_jobs()
  returns table (id bigint, key text, locked_at timestamptz, run_at timestamptz, waits boolean)
  language plpgsql stable
  as $$
begin
  if to_regclass('airank_jobs.jobs') is not null then
    return query select j.id, j.key, j.locked_at, j.run_at, (j.flags ? 'waits') is true from airank_jobs.jobs j;
  end if;
end
$$;

comment on function sync.queued_jobs is 'Jobs of the queue; none before a first scheduler has made it.';
