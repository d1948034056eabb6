-- A worker works on many jobs at once, and one of them may end it each time. Blamed are those that it had just begun, or
-- that got no further; whoever got further begins at 0. A worker that was stopping was ended by others, and blames none.
-- From the third death on each waits for a while of its own, so that the one that ends workers is begun apart from the
-- others.
create or replace function sync.note_deaths(p_worker bigint) returns void
  language plpgsql
  as $$
declare
  long_enough constant interval := '2 minutes';
  first_pause constant interval := '1 minute';
  longest_pause constant interval := '1 hour';
begin
  update airank_jobs._private_jobs j
  -- A process that lives after all takes the blame back by the worker's number (outlive_worker).
  set payload = (j.payload::jsonb || jsonb_build_object('deaths', d.deaths, 'died_with', case when d.is_blamed then p_worker end))::json,
    run_at = case
      when d.deaths < 3 then j.run_at
      else clock_timestamp() + random() * least(first_pause * 4 ^ (d.deaths - 3), longest_pause)
    end
  from (
    select k.id, w.state <> 'stopping' as is_blamed, case when exists (
      select from sync.run r
      where r.worker_id = w.id and r.status = 'running' and r.account = k.payload ->> 'account'
        and r.batch_id = (k.payload ->> 'batch')::bigint and r.started_at <= coalesce(w.missed_at, w.given_up_at) - long_enough
        and exists (
          select from sync.slice s
          where s.run_id = r.id and s.account = r.account and (s.status not in ('planned', 'walking') or exists (
            select from sync.page p where p.account = s.account and p.slice_id = s.id and p.fetched_at >= r.started_at))
        )
    ) then 0 else coalesce((k.payload ->> 'deaths')::integer, 0) + (w.state <> 'stopping')::integer end as deaths
    from sync.worker w
    join airank_jobs._private_jobs k on k.locked_by = w.pool
    where w.id = p_worker and w.given_up_at is not null
  ) d
  where d.id = j.id;
end
$$;

comment on function sync.note_deaths is
  'Of a worker that was given up: its jobs of the queue say how many workers in a row died with them. In the transaction of free_worker.';
