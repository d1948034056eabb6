-- Every schema and table, and the one function that a stored column needs. Other functions are in sql/code and curated
-- views in sql/bi; both are installed after the migrations. Tables of typed rows, one a logical source, are made by the program.

create schema if not exists sync;
comment on schema sync is 'Bookkeeping of airank-warehouse: runs, slices, pages in flight, budget. Not for dashboards.';
create schema snapshot;
comment on schema snapshot is 'Versions of every record of every stream, one table a stream.';
create schema typed;
comment on schema typed is 'The tables behind the curated views, written by publishing, read only by the views of bi_map.';
create schema if not exists api;
comment on schema api is 'Typed views of every stream in the API''s own names, generated from the fields seen.';
create schema if not exists bi;
comment on schema bi is 'Curated views for dashboards, in English. The only schema that BI tools need.';
create schema if not exists bi_map;
comment on schema bi_map is 'The logical fields of the curated views: current, by run date and by version. Not for dashboards.';

create table sync.code (
  name text primary key,
  hash text not null,
  installed_at timestamptz not null default now()
);
comment on table sync.code is 'Which text of each function and view is installed.';
comment on column sync.code.name is 'The file below sql, or a view of bi_map that is generated.';

-- Batches, runs and slices.

create table sync.batch (
  id bigint generated always as identity primary key,
  job text not null,
  status text not null default 'running'
    constraint batch_status_known check (status in ('running', 'complete', 'failed', 'deferred', 'stopped')),
  selection jsonb,
  summary jsonb,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  due_at timestamptz
);
comment on table sync.batch is 'One execution of a job over its accounts. While it works, its process holds the advisory lock (sync.batch_lock_class(), id).';
comment on column sync.batch.selection is 'Accounts, streams and clients that were asked for, and how archives are walked.';
comment on column sync.batch.summary is 'The result of the batch as a whole: exit code, accounts that were not begun, drift, stale views.';
comment on column sync.batch.due_at is 'The moment of the job''s schedule that it is for; null: by hand.';

create index batch_by_job on sync.batch (job, id desc);
create index batch_running on sync.batch (id) where status = 'running';

-- No foreign key to its batch, and none from its slices: accounts can be spread over partitions and databases.
create table sync.run (
  account text not null,
  id bigint generated always as identity,
  batch_id bigint not null,
  run_date date not null,
  status text not null default 'running'
    constraint run_status_known check (status in ('running', 'complete', 'failed', 'deferred', 'stopped')),
  plan jsonb,
  summary jsonb,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (account, id),
  constraint run_once_a_batch unique (batch_id, account)
);
comment on table sync.run is 'The part of one account in a batch. While it works, its process holds the advisory lock (sync.run_lock_class(), id).';
comment on column sync.run.run_date is 'Fixed when the run starts.';
comment on column sync.run.plan is 'What was expected before the first request.';
comment on column sync.run.summary is 'The result: slices by status, requests, versions written.';

create index run_running on sync.run (id) where status = 'running';

-- One row: the last refresh of the views that ended, for batches that waited for their turn.
create table sync.refresh (
  is_only boolean primary key default true constraint refresh_only_one check (is_only),
  began_at timestamptz not null,
  result jsonb not null
);
comment on table sync.refresh is 'The last refresh of the views after a batch.';
comment on column sync.refresh.began_at is 'Data committed before this moment is in the views.';
comment on column sync.refresh.result is 'Drift that it found, and stale views.';

-- Here and not in sql/code, because stored values of sync.slice are computed by it.
create function sync.block_days() returns integer
  language sql immutable parallel safe
  return 64;
comment on function sync.block_days is 'Days of a block: the daily views read the versions of a scope once a block.';

create table sync.slice (
  id bigint generated always as identity,
  stream text not null,
  account text not null,
  client_id text not null default '',
  run_date date not null,
  status text not null default 'planned'
    constraint slice_status_known
    check (status in ('planned', 'walking', 'complete', 'failed', 'deferred', 'unavailable')),
  walk text not null default 'full'
    constraint slice_walk_known check (walk in ('full', 'head', 'details', 'left')),
  run_id bigint,
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
  walked_at timestamptz,
  pages_saved integer not null default 0,
  full_run_date date,
  depth integer,
  late bigint not null default 0,
  -- A column, because the planner's Memoize works with columns only.
  block_from date not null generated always as (
    date '0001-01-01' + (run_date - date '0001-01-01') / sync.block_days() * sync.block_days()
  ) stored,
  doubt text,
  doubted_walks integer not null default 0,
  lacking text[],
  doubt_found bigint not null default 0,
  primary key (account, id),
  constraint slice_once_a_date unique (account, stream, client_id, run_date)
) with (fillfactor = 80);
alter table sync.slice alter column lacking set storage external;
comment on table sync.slice is 'One stream × account × client × run date: the unit of planning, walking, resuming and publishing.';
comment on column sync.slice.client_id is 'The client''s identifier as the API gives it; '''' for the account itself.';
comment on column sync.slice.status is 'Status of the latest attempt. completed_at says whether data is published.';
comment on column sync.slice.walk is 'full: every page; head: first pages, the tail carried forward; details: one request for each new or changed record; left: the client is no longer listed, so nothing is requested.';
comment on column sync.slice.run_id is 'The run that works on it or did so last.';
comment on column sync.slice.requests is 'Attempts of the latest walk, retries included.';
comment on column sync.slice.inserted is 'Records that the run date before did not have.';
comment on column sync.slice.changed is 'Records with other content than before.';
comment on column sync.slice.vanished is 'Records that the run date before had and this one does not.';
comment on column sync.slice.unchanged is 'Records with the same content as before.';
comment on column sync.slice.key_conflicts is 'Records whose pinned key was missing or repeated: stored under their key and a content hash.';
comment on column sync.slice.replaced_values is 'Values that jsonb cannot hold (\u0000, a lone surrogate, a number beyond numeric), replaced or stored as text.';
comment on column sync.slice.envelope_conflicts is 'Envelope values in which a later page disagreed with the first.';
comment on column sync.slice.completed_at is 'When this run date was published last; null: nothing of it is published.';
comment on column sync.slice.walked_at is 'When an attempt last ended by itself: published, failed or unavailable. Null: it has only waited for budget so far.';
comment on column sync.slice.pages_saved is 'Head walks: pages of the last full walk that were not requested again.';
comment on column sync.slice.full_run_date is 'Run date of the last full walk of this stream and scope, this one included.';
comment on column sync.slice.depth is 'Full walks of archives: the deepest page with a new or changed record; 0: none; null: nothing to compare with.';
comment on column sync.slice.late is 'Full walks of archives: records that a walk from the head would have missed, those that vanished included.';
comment on column sync.slice.block_from is 'The first of the sync.block_days() days that run_date is one of.';
comment on column sync.slice.doubt is 'Why the newest walk is not believed: no_data, strange, other_client, refused, vanished, client_keys, loop or page_limit; null: nothing is in doubt.';
comment on column sync.slice.doubted_walks is 'Walks of this run date that ended in doubt.';
comment on column sync.slice.lacking is 'Keys that are published and that the doubted walk did not find; of many, a sample.';
comment on column sync.slice.doubt_found is 'Records of the doubted walk.';

create index slice_by_run on sync.slice (run_id);
create index slice_by_date on sync.slice (account, run_date);
-- The dates of a scope and when they were published, without a look at the rows: the daily views ask for them once a
-- version.
create index slice_by_scope on sync.slice (account, stream, client_id, run_date desc) include (completed_at, block_from)
  where completed_at is not null;
-- Dates of one stream, and all streams of one client.
create index slice_by_stream_date on sync.slice (stream, run_date);
create index slice_by_run_date on sync.slice (run_date);
create index slice_by_client on sync.slice (client_id, run_date);
create index slice_by_key_conflict on sync.slice (stream, run_date) where key_conflicts > 0 and completed_at is not null;
-- The curated views check in every query whether a client ever left the list of clients.
create index slice_by_departure on sync.slice (account, run_date) where stream = 'clientes' and vanished > 0;

create table sync.newest (
  stream text not null,
  account text not null,
  client_id text not null,
  run_date date not null,
  completed_at timestamptz not null,
  primary key (account, stream, client_id)
) with (fillfactor = 70);
create index newest_by_stream on sync.newest (stream);
comment on table sync.newest is 'The newest published slice of every scope, written by publishing: what views of current records join.';

create table sync.page (
  account text not null,
  slice_id bigint not null,
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
  has_new_types boolean not null default true,
  is_reread boolean not null default false,
  primary key (account, slice_id, page_no),
  foreign key (account, slice_id) references sync.slice (account, id) on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);
-- Pages live for seconds: the default compression is slow and costs more than the space it saves.
alter table sync.page alter column list set storage external, alter column rest set storage external;
comment on table sync.page is 'Pages in flight, deleted on publish. The newest row of a slice is its checkpoint.';
comment on column sync.page.cursor is 'The cursor the page was asked with; '''' for the first.';
comment on column sync.page.next_cursor is 'The cursor of the next page; null: this was the last.';
comment on column sync.page.record_key is 'Set: the whole body is one record with this key.';
comment on column sync.page.list is 'The records of the page, an array.';
comment on column sync.page.rest is 'What the body holds beside its list and paginacion; null: nothing.';
comment on column sync.page.has_new_types is 'May hold types of fields that neither a page before it nor a published walk of its stream held.';
comment on column sync.page.is_reread is 'A page of the head that was read again after the walk; no part of the chain of cursors.';

create table sync.refused_detail (
  account text not null,
  stream text not null,
  client_id text not null,
  value text not null,
  first_run_date date not null,
  last_run_date date not null,
  run_dates integer not null default 1,
  error text not null,
  primary key (account, stream, client_id, value)
);
comment on table sync.refused_detail is 'Single records whose answers were not believed: asked for again on three run dates, then weekly.';

-- One row for each account and stream, so that an account with other data does not mislead the others.
create table sync.stream (
  account text not null,
  stream text not null,
  record_key jsonb,
  list_key text,
  updated_at timestamptz not null default now(),
  primary key (account, stream)
);
comment on table sync.stream is 'What was found in the data of an account''s stream and pinned.';
comment on column sync.stream.list_key is 'Where the list is, if the API reference gives no key: its key in the body; '''': the body itself is the list.';
comment on column sync.stream.record_key is 'Paths that identify a record, as [["id"]]; []: its content does.';

-- The data: one row for each content of each record, valid from run_date (included) until `until` (excluded).

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

-- The ledger of requests: one key may spend 60 in any minute and 5,000 a day.

create table sync.budget_account (
  account text primary key,
  blocked_until timestamptz,
  day_closed_until timestamptz,
  day_refused_at timestamptz,
  renews interval,
  renews_learned_at timestamptz
);
comment on table sync.budget_account is 'One row an account; locked first, so that grants of an account are one after another.';
comment on column sync.budget_account.blocked_until is 'The server asked to wait (429 rate_limited).';
comment on column sync.budget_account.day_closed_until is 'The server said that the day is used up; learned from retryAfter.';
comment on column sync.budget_account.day_refused_at is 'When it last said so.';
comment on column sync.budget_account.renews is 'UTC time of day at which the server renews the day, as learned from its last day-sized refusal.';
comment on column sync.budget_account.renews_learned_at is 'When that was learned.';

create table sync.budget (
  account text not null,
  day date not null,
  used integer not null default 0,
  given_back integer not null default 0,
  primary key (account, day)
) with (fillfactor = 50);
comment on table sync.budget is 'Requests granted by account and day of the server''s budget.';
comment on column sync.budget.used is 'Requests granted and not given back.';
comment on column sync.budget.given_back is 'Requests that were granted, never reached the server, and were given back.';

create table sync.budget_minute (
  account text not null,
  frees_at timestamptz not null,
  requests integer not null,
  primary key (account, frees_at)
) with (fillfactor = 50);
comment on table sync.budget_minute is 'Places of the minute that are taken, by the time at which they are free again.';

create table sync.budget_hour (
  account text not null,
  day date not null,
  hour timestamptz not null,
  stream text not null,
  purpose text not null,
  requests integer not null,
  primary key (account, day, hour, stream, purpose)
) with (fillfactor = 70);
comment on table sync.budget_hour is 'Who spent the budget: requests by hour, stream and purpose. Never deleted.';

-- Somebody else uses the key: when one process sees that in the server's count, all processes slow down.
create table sync.budget_stranger (
  account text primary key,
  expected_until timestamptz not null,
  refused_at timestamptz,
  burst integer not null default 5,
  fixed boolean,
  places integer,
  remaining integer,
  sure integer,
  read_at timestamptz,
  latency interval,
  ends_from timestamptz,
  ends_by timestamptz
) with (fillfactor = 50);
comment on table sync.budget_stranger is 'One row an account whose key somebody else uses too, with the newest count that the server told.';
comment on column sync.budget_stranger.expected_until is 'Until then one request at a time is risked near the limit.';
comment on column sync.budget_stranger.refused_at is 'When the server last refused a request (429 rate_limited).';
comment on column sync.budget_stranger.burst is 'Places that the stranger may take between two looks.';
comment on column sync.budget_stranger.fixed is 'The server''s minutes renew at once; false: each request leaves the count a minute after it came.';
comment on column sync.budget_stranger.places is 'The server''s limit a minute.';
comment on column sync.budget_stranger.remaining is 'Requests it still allowed in the newest answer.';
comment on column sync.budget_stranger.sure is 'Requests of ours that were certainly in its count then.';
comment on column sync.budget_stranger.ends_by is 'When the server''s minute ends at the latest.';

-- What was seen in the data: every path and type of every source, and which of them are new or gone.

create table sync.source (
  source text primary key,
  stream text not null,
  envelope boolean not null,
  first_run_date date,
  fields_changed_at timestamptz not null default now(),
  viewed_at timestamptz,
  view_error text,
  view_error_at timestamptz,
  learn_error text
);
comment on table sync.source is 'What views are made from: a stream''s records, or its envelope (<stream>_envelope).';
comment on column sync.source.fields_changed_at is 'When a field or type was seen for the first time.';
comment on column sync.source.viewed_at is 'The fields_changed_at that the views show; null: there are none yet.';
comment on column sync.source.view_error is 'Why the views could not be refreshed; tried again after the next publish.';
comment on column sync.source.learn_error is 'Why the fields of a publish could not be read; its records are published anyway.';

-- Rows only: a publish takes no lock here that another publish could wait for.
create table sync.learned (
  id bigint generated always as identity,
  source text not null,
  stream text not null,
  account text not null,
  client_id text not null,
  run_date date not null,
  path text[] not null,
  type text not null,
  seen bigint not null,
  primary key (account, id)
);
comment on table sync.learned is 'What publishes saw, until it is merged into sync.field.';

create table sync.field (
  source text not null,
  path text[] not null,
  type text not null,
  first_run_date date not null,
  last_run_date date not null,
  seen bigint not null,
  parent_seen bigint not null default 0,
  example text,
  primary key (source, path, type)
);
comment on table sync.field is 'Every JSON path and type ever seen in a source; [] is an element of an array, map an object whose keys are data.';
comment on column sync.field.path is 'Outermost key first; {} is the record itself.';
comment on column sync.field.last_run_date is 'Newest run date on which a new or changed record had it.';
comment on column sync.field.seen is 'Values looked at in new and changed records; of many records at once: in a sample, and in records that the sample does not explain.';
comment on column sync.field.parent_seen is 'Objects seen that could have had it, when it was seen last.';
comment on column sync.field.example is 'One value, shortened.';

create table sync.drift (
  id bigint generated always as identity primary key,
  source text not null,
  kind text not null
    constraint drift_kind_known check (kind in ('new_field', 'new_type', 'field_gone', 'identity_conflict')),
  path text[] not null,
  type text not null default '',
  first_run_date date not null,
  last_run_date date not null,
  example text,
  noticed_at timestamptz not null default now(),
  constraint drift_once unique (source, kind, path, type)
);
comment on table sync.drift is 'How the data differs from what the source held on its first run date.';
comment on column sync.drift.first_run_date is 'new_field, new_type: when it was seen first; field_gone: when it was seen last; identity_conflict: the first date.';
comment on column sync.drift.last_run_date is 'The newest run date on which that was so.';

-- The generated views of schema api.

create table sync.view (
  name text primary key,
  source text not null,
  kind text not null constraint view_kind_known check (kind in ('current', 'daily', 'changes', 'child')),
  array_path text[] not null default '{}',
  created_at timestamptz not null default now(),
  constraint view_once unique (source, kind, array_path)
);
comment on table sync.view is 'Names of the generated views of schema api. A name, once given, stays.';
comment on column sync.view.array_path is 'child: the array whose elements are its rows.';

create table sync.view_column (
  source text not null,
  array_path text[] not null default '{}',
  position integer not null,
  path text[] not null,
  name text not null,
  type text not null,
  primary key (source, array_path, position),
  constraint view_column_name_once unique (source, array_path, name),
  constraint view_column_once unique (source, array_path, path, type)
);
comment on table sync.view_column is 'Published columns. Neither name nor type of a published column ever changes; new ones are appended.';
comment on column sync.view_column.array_path is 'Of a child view: the array; {}: the stream''s own views.';
comment on column sync.view_column.path is 'Below the record, or below an element of the array.';

-- What the curated views are made from.

create table sync.mapping (
  source text not null,
  field text not null,
  path text[],
  of_record boolean not null default false,
  origin text not null constraint mapping_origin_known check (origin in ('found', 'command', 'configuration')),
  mapped_at timestamptz not null default now(),
  primary key (source, field)
);
comment on table sync.mapping is 'Where each logical field of the curated views is in the data. A field without a row is unmapped.';
comment on column sync.mapping.path is 'Null: deliberately none.';
comment on column sync.mapping.of_record is 'The path starts at the record and not at an element of its array.';
comment on column sync.mapping.origin is 'found: by its name; command: airank views map; configuration: airank.config.yaml. Later ones of this list win.';

create table sync.logical_field (
  source text not null,
  field text not null,
  type text not null,
  primary key (source, field)
);
comment on table sync.logical_field is 'Every logical field that the installed curated views know.';

create table sync.typed_table (
  source text not null,
  is_next boolean not null,
  stream text not null,
  mapping jsonb,
  hash text not null,
  made_at timestamptz not null default now(),
  primary key (source, is_next)
);
comment on table sync.typed_table is 'The table of typed rows of each logical source (typed.<source>), and the one that is filled beside it (typed.<source>_next) after the mapping changed.';
comment on column sync.typed_table.mapping is 'How its rows are read from the records: elements of sync.mapping. Null: nothing was published yet.';
comment on column sync.typed_table.hash is 'Hash of the statements that make and fill it: when it changes, the table is filled anew.';

create table sync.typed_scope (
  source text not null,
  account text not null,
  client_id text not null,
  primary key (account, source, client_id)
);
comment on table sync.typed_scope is 'Scopes that the new table already holds.';

create table typed.rank_point (
  account text not null,
  source text not null,
  slice_client_id text not null,
  until date not null,
  from_date date not null,
  record_key text not null,
  client_id text not null,
  is_standing boolean not null,
  date date,
  measured_at timestamptz,
  method text,
  score numeric,
  comparable boolean,
  reasons text,
  position numeric,
  dimensions jsonb,
  source_rank integer not null,
  excluded_reason text
);
comment on table typed.rank_point is 'Points of the AI Rank, one row a version and method. bi_map.rank_series decides which of several points of a date counts.';
comment on column typed.rank_point.source is 'The stream.';
comment on column typed.rank_point.is_standing is 'Without a date of its own: it stands for every complete run date of its version.';
create index rank_point_by_version on typed.rank_point (account, source, slice_client_id, until, from_date, record_key);
create index rank_point_by_series on typed.rank_point (account, client_id, method, date desc) where excluded_reason is null;
create index rank_point_by_client on typed.rank_point (client_id, date);
create index rank_point_by_date on typed.rank_point (date);
create index rank_point_standing on typed.rank_point (account, client_id) where is_standing;

create table typed.action_status (
  account text not null,
  slice_client_id text not null,
  record_key text not null,
  client_id text not null,
  id text,
  title text,
  status text,
  previous_status text,
  from_date date not null,
  next_date date not null,
  primary key (account, slice_client_id, record_key, from_date, client_id)
);
create index action_status_by_client on typed.action_status (client_id, from_date);
create index action_status_by_date on typed.action_status (from_date);
comment on table typed.action_status is 'How the status of every action moved, one row an action and uninterrupted status. A record of an account-wide slice names its client; the same key of another client is another action.';

create table typed.action_expectation (
  account text not null,
  slice_client_id text not null,
  record_key text not null,
  client_id text not null,
  expectation_metric text,
  expectation_from numeric,
  expectation_to numeric,
  expectation_frozen date,
  is_changed boolean not null,
  primary key (account, slice_client_id, record_key, client_id)
);
create index action_expectation_by_client on typed.action_expectation (client_id);
comment on table typed.action_expectation is 'The first expectation of every action that has one, and whether there was a second one.';

-- What an unattended scheduler has already told people.

create table sync.notice (
  cause text primary key,
  kind text not null,
  account text,
  message text not null,
  since timestamptz not null,
  over_at timestamptz,
  told_at timestamptz,
  told_over_at timestamptz,
  detail text
);
comment on table sync.notice is 'Trouble that people are told of, one row a cause; stored for some weeks after it is over.';
comment on column sync.notice.cause is 'What the trouble is, such as key:acme; told once a day at most.';
comment on column sync.notice.message is 'In names, types, numbers and statuses; no value of the data.';
comment on column sync.notice.since is 'When it began, the last time.';
comment on column sync.notice.over_at is 'When it was over; null: it still lasts.';
comment on column sync.notice.told_at is 'When people were told of it last; null: not yet.';
comment on column sync.notice.told_over_at is 'When people were told last that it is over.';
comment on column sync.notice.detail is 'The same with what it quotes: an example of a field, what the server or Postgres answered; null: it quotes nothing.';
