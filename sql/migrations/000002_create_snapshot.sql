-- The data: one row for each content of each record, valid from run_date (included) until `until` (excluded).
create schema snapshot;
comment on schema snapshot is 'Versions of every record of every stream, one table a stream.';

create table snapshot.record (
  stream text not null,
  account text not null,
  client_id text not null,
  record_key text not null,
  run_date date not null,
  until date not null default 'infinity',
  hash bytea not null,
  payload jsonb not null,
  -- One open version of a record at most. By `until` before the key, one index serves the current
  -- records of a scope, those that a date closed, and recent dates.
  constraint record_once_until primary key (account, client_id, until, record_key, stream),
  constraint record_until_after_run_date check (until > run_date)
) partition by list (stream);
comment on table snapshot.record is 'Versions of records. A run date''s snapshot is run_date <= d and d < until, over slices with completed_at.';
comment on column snapshot.record.client_id is 'The client''s identifier as the API gives it; '''' for the account itself.';
comment on column snapshot.record.record_key is 'Identity within stream, account and client; see sync.stream.record_key.';
comment on column snapshot.record.run_date is 'First run date with this content.';
comment on column snapshot.record.until is 'First run date without it; infinity while current.';
comment on column snapshot.record.hash is 'First 16 bytes of sha256 of the payload''s text.';
comment on column snapshot.record.payload is 'The record as the API sent it, every number literal unchanged.';

-- A stream's table is made on its own and attached: that does not lock out readers of the other streams.
create function sync.ensure_stream(name text) returns void
  language plpgsql
  as $$
begin
  if to_regclass(format('snapshot.%I', name)) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(sync.run_lock_class(), hashtext('ensure_stream'));
  -- By a query of the catalog: to_regclass may remember that there was no such table, before the lock.
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
