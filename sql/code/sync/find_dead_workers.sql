-- Workers take no lock again that they lost, so they are dead soon. A command by hand takes it again when the database
-- is back, and nobody waits for what it has: it gets more time.
create or replace function sync.find_dead_workers() returns setof bigint
  language plpgsql
  as $$
declare
  patience constant interval := '1.5 seconds';
  patience_by_hand constant interval := '10 seconds';
begin
  -- A row that somebody holds, such as a frozen command whose run begins, is looked at the next time.
  update sync.worker w set missed_at = case when w.missed_at is null then clock_timestamp() end
  from (
    select k.id from sync.worker k
    where sync.lock_is_held(sync.worker_lock_class(), k.id) = (k.missed_at is not null)
    for no key update skip locked
  ) as l
  where l.id = w.id;
  return query
    select w.id from sync.worker w
    where w.missed_at < clock_timestamp() - case when w.kinds = '{}' then patience_by_hand else patience end;
end
$$;

comment on function sync.find_dead_workers is
  'Notes whose lock is missing, and returns those that have missed it for long enough to be given up.';
