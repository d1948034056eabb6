-- A stream's table is made separately and then attached, which does not lock out readers of other streams.
create or replace function sync.ensure_stream(name text) returns void
  language plpgsql
  as $$
begin
  if to_regclass(format('snapshot.%I', name)) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('airank'), hashtext('ensure_stream'));
  -- A query of the catalog: to_regclass may have cached, before the lock, that there is no such table.
  if exists (
    select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'snapshot' and c.relname = name
  ) then
    return;
  end if;
  execute format('create table snapshot.%I (like snapshot.record including all)', name);
  execute format('alter table snapshot.record attach partition snapshot.%I for values in (%L)', name, name);
end
$$;

comment on function sync.ensure_stream is 'Gives a stream its partition of snapshot.record, once.';
