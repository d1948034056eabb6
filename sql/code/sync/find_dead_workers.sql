-- Workers take no lock again that they lost, so they are dead soon. A command by hand takes it again when the database
-- is back, and nobody waits for what it has: it gets more time.
create or replace function sync.find_dead_workers() returns setof bigint
  language plpgsql
  as $$
declare
  patience constant interval := '1.5 seconds';
  patience_by_hand constant interval := '10 seconds';
begin
  update sync.worker w set missed_at = case when l.held then null else clock_timestamp() end
  from (select k.id, sync.lock_is_held(sync.worker_lock_class(), k.id) as held from sync.worker k) as l
  where l.id = w.id and l.held = (w.missed_at is not null);
  return query
    select w.id from sync.worker w
    where w.missed_at < clock_timestamp() - case when w.kinds = '{}' then patience_by_hand else patience end;
end
$$;

comment on function sync.find_dead_workers is
  'Notes whose lock is missing, and returns those that have missed it for long enough to be given up.';
