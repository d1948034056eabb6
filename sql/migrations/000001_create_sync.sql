-- Bookkeeping: what was run, which slices there are, pages in flight, what was learned of each stream.
create schema if not exists sync;
comment on schema sync is 'Bookkeeping of airank-warehouse: runs, slices, pages in flight, budget. Not for dashboards.';

create table sync.run (
  id bigint generated always as identity primary key,
  job text not null,
  run_date date not null,
  status text not null default 'running'
    constraint run_status_known check (status in ('running', 'complete', 'failed', 'deferred', 'stopped')),
  plan jsonb,
  summary jsonb,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
comment on table sync.run is 'One execution of a job. While it works, its process holds the advisory lock (sync.run_lock_class(), id).';
comment on column sync.run.plan is 'What was expected before the first request.';
comment on column sync.run.summary is 'What came of it: slices by status, requests, versions written.';

create table sync.slice (
  id bigint generated always as identity primary key,
  stream text not null,
  account text not null,
  client_id text not null default '',
  run_date date not null,
  status text not null default 'planned'
    constraint slice_status_known
    check (status in ('planned', 'walking', 'complete', 'failed', 'deferred', 'unavailable')),
  walk text not null default 'full'
    constraint slice_walk_known check (walk in ('full', 'head', 'details')),
  run_id bigint references sync.run (id) on delete set null,
  pages integer not null default 0,
  records bigint not null default 0,
  requests integer not null default 0,
  inserted bigint not null default 0,
  changed bigint not null default 0,
  vanished bigint not null default 0,
  unchanged bigint not null default 0,
  key_conflicts bigint not null default 0,
  replaced_values bigint not null default 0,
  envelope_conflicts bigint not null default 0,
  error text,
  started_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz not null default now(),
  constraint slice_once_a_date unique (stream, account, client_id, run_date)
) with (fillfactor = 80);
comment on table sync.slice is 'One stream × account × client × run date: the unit of planning, walking, resuming and publishing.';
comment on column sync.slice.client_id is 'The client''s identifier as the API gives it; '''' for the account itself.';
comment on column sync.slice.status is 'Of the latest attempt. Whether data is published says completed_at.';
comment on column sync.slice.walk is 'full: every page; head: first pages, the tail carried forward; details: one request for each new or changed record.';
comment on column sync.slice.run_id is 'The run that works on it or did so last.';
comment on column sync.slice.requests is 'Attempts of the latest walk, retries included.';
comment on column sync.slice.inserted is 'Records that the run date before did not have.';
comment on column sync.slice.changed is 'Records with other content than before.';
comment on column sync.slice.vanished is 'Records that the run date before had and this one does not.';
comment on column sync.slice.unchanged is 'Records with the same content as before.';
comment on column sync.slice.key_conflicts is 'Records whose pinned key was missing or repeated: kept under their key and a content hash.';
comment on column sync.slice.replaced_values is 'Values that jsonb cannot hold (\u0000, a lone surrogate, a number beyond numeric), replaced or kept as text.';
comment on column sync.slice.envelope_conflicts is 'Envelope values in which a later page disagreed with the first.';
comment on column sync.slice.completed_at is 'When this run date was published last; null: nothing of it is published.';

create index slice_by_run on sync.slice (run_id);
create index slice_by_scope on sync.slice (account, stream, client_id, run_date desc) where completed_at is not null;

create table sync.page (
  slice_id bigint not null references sync.slice (id) on delete cascade,
  page_no integer not null,
  cursor text not null,
  next_cursor text,
  record_key text,
  records integer not null,
  requests integer not null,
  replaced_values integer not null default 0,
  list jsonb not null,
  rest jsonb,
  fetched_at timestamptz not null default now(),
  primary key (slice_id, page_no)
) with (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);
-- Pages live for minutes: compressing them costs more than it saves.
alter table sync.page alter column list set storage external;
comment on table sync.page is 'Pages in flight, deleted on publish. The newest row of a slice is its checkpoint.';
comment on column sync.page.cursor is 'The cursor the page was asked with; '''' for the first.';
comment on column sync.page.next_cursor is 'The cursor of the next page; null: this was the last.';
comment on column sync.page.record_key is 'Set: the whole body is one record with this key.';
comment on column sync.page.list is 'The records of the page, an array.';
comment on column sync.page.rest is 'What the body holds beside its list and paginacion; null: nothing.';

create table sync.stream (
  stream text primary key,
  list_key text,
  record_key jsonb,
  updated_at timestamptz not null default now()
);
comment on table sync.stream is 'What was found in the data of a stream and pinned.';
comment on column sync.stream.list_key is 'Key of the list in the body, where the API reference gives none.';
comment on column sync.stream.record_key is 'Paths that identify a record, as [["id"]]; []: its content does.';

-- A run is alive while its process holds this lock; a killed process loses it with its connection.
create function sync.run_lock_class() returns integer
  language sql immutable parallel safe
  return 1634493291;

create function sync.run_is_alive(run_id bigint) returns boolean
  language sql stable
  return exists (
    select from pg_locks
    where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())
      and classid::bigint = sync.run_lock_class() and objid::bigint = run_id and objsubid = 2
  );
