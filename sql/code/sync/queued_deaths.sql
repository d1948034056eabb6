create or replace function sync.queued_deaths()
  returns table (batch_id bigint, account text, deaths integer, run_at timestamptz)
  language plpgsql stable
  as $$
begin
  return query
    select (j.payload ->> 'batch')::bigint, j.payload ->> 'account', (j.payload ->> 'deaths')::integer, j.run_at
    from airank_jobs._private_jobs j
    where (j.payload ->> 'deaths')::integer > 0;
end
$$;

comment on function sync.queued_deaths is 'Jobs of the queue with which workers died, several in a row: how many, and from when on the job may begin again.';
