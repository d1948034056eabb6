-- Every schema and table, and the one function that a stored column needs. Other functions are in sql/code and curated
-- views in sql/bi, sql/bi_history and sql/ops; they are installed after the migrations. Tables of typed rows, one a logical
-- source, are made by the program.

-- One that is there is empty, and was made for a role that may make none (src/install/foreign-objects.ts): even `if not exists` asks
-- for the right to make it.
do $$
declare
  name text;
begin
  foreach name in array array['sync', 'snapshot', 'typed', 'api', 'bi', 'bi_history', 'bi_map', 'ops'] loop
    if to_regnamespace(name) is null then
      execute format('create schema %I', name);
    end if;
  end loop;
end $$;
comment on schema sync is 'Bookkeeping of airank-warehouse: runs, slices, pages in flight, budget. Not for dashboards.';
comment on schema snapshot is 'Versions of every record of every stream, one table a stream.';
comment on schema typed is 'The tables behind the curated views, written by publishing, read by views alone.';
comment on schema api is 'Typed views of every stream in the API''s own names, generated from the fields seen.';
comment on schema bi is 'Curated views for dashboards, in English. The only schema that BI tools need.';
comment on schema bi_history is 'What the views of bi said on each run date. Figures of several run dates are not to be added.';
comment on schema bi_map is 'The logical fields of the curated views: current, by run date and by version. Not for dashboards.';
comment on schema ops is 'The warehouse itself: budget, writes, fields of the data.';

-- Code and processes.

create table sync.code (
  name text primary key,
  hash text not null,
  installed_at timestamptz not null default now()
);
comment on table sync.code is 'Which text of each function and view is installed.';
comment on column sync.code.name is 'The file below sql, or a view of bi_map that is generated.';

create table sync.worker (
  id bigint primary key default 1 + floor(random() * 2147483647)::bigint,
  pool text,
  application text,
  host text not null,
  pid integer not null,
  version text not null,
  kinds text[] not null default '{}',
  accounts_at_once integer not null default 0,
  state text not null default 'working' constraint worker_state_known check (state in ('waiting', 'working', 'stopping')),
  waits_for text,
  started_at timestamptz not null default now(),
  missed_at timestamptz,
  given_up_at timestamptz
);
comment on table sync.worker is 'One row a living process that works on accounts; it holds the advisory lock (sync.worker_lock_class(), id).';
comment on column sync.worker.id is 'Never given twice, not even after a failover to a server that lacks the last rows.';
comment on column sync.worker.pool is 'What the queue writes into locked_by; null: it takes no jobs.';
comment on column sync.worker.application is 'application_name of its connections and of no others; null: a command by hand.';
comment on column sync.worker.kinds is 'Kinds of jobs that it takes; {}: a command by hand.';
comment on column sync.worker.waits_for is 'Why it takes no jobs, for people; null: it does.';
comment on column sync.worker.missed_at is 'Since when its lock is missed; null: it was there at the last look.';
comment on column sync.worker.given_up_at is 'Others go on with its work; it may begin nothing under this number.';

create unique index worker_by_pool on sync.worker (pool) where pool is not null;

-- Another configuration would give other results: workers take jobs only with the one that the scheduler has.
create table sync.scheduler (
  is_only boolean primary key default true constraint scheduler_only_one check (is_only),
  version text not null,
  digest text not null,
  settings jsonb not null,
  changed_at timestamptz not null default now()
);
comment on table sync.scheduler is 'The configuration of the scheduler, which workers compare with theirs.';
comment on column sync.scheduler.digest is 'Hash of the settings.';
comment on column sync.scheduler.settings is 'By name: the value as JSON, of secrets a salted hash.';

create table sync.known_job (
  job text primary key,
  known_since timestamptz not null default now()
);
comment on table sync.known_job is 'Since when the scheduler knows a job that makes reports: what was due before is not made up for.';

-- A table of ours, because the rows of the queue's library are private.
create table sync.job_death (
  job_id bigint not null,
  worker_id bigint not null,
  primary key (job_id, worker_id)
);
comment on table sync.job_death is 'Workers in a row that died with a job of the queue, a row each. Rows of a job that is gone say nothing.';
comment on column sync.job_death.job_id is 'airank_jobs.jobs.id.';
comment on column sync.job_death.worker_id is 'Number that the worker had. A process that lives after all takes its row back by it.';

-- Batches, runs and slices.

create table sync.batch (
  id bigint generated always as identity primary key,
  job text not null,
  due_at timestamptz,
  due_attempt integer,
  is_queued boolean not null default false,
  worker_id bigint,
  status text not null default 'running'
    constraint batch_status_known check (status in ('running', 'complete', 'failed', 'deferred', 'stopped')),
  selection jsonb,
  summary jsonb,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  settled_at timestamptz
);
comment on table sync.batch is 'One execution of a job over its accounts: by one process that lives as long, or through the queue.';
comment on column sync.batch.due_at is 'The moment of the job''s schedule that it is for; null: by hand.';
comment on column sync.batch.due_attempt is 'Queued: which batch of this moment of the job it is, from 1; accounts that failed are tried again by the next. null: by hand.';
comment on column sync.batch.is_queued is 'Its account runs are jobs of the queue, of which any worker takes some.';
comment on column sync.batch.worker_id is 'The process that works on all of it; null: it is queued.';
comment on column sync.batch.selection is 'Accounts, streams and clients that were asked for, and how archives are walked.';
comment on column sync.batch.summary is 'The result of the batch as a whole: exit code, accounts that were not begun, drift, stale views.';
comment on column sync.batch.settled_at is 'Queued: when the scheduler has last settled it; null: it has not, and account runs may wait or work.';

create index batch_by_job on sync.batch (job, id desc);
create index batch_running on sync.batch (id) where status = 'running';
create index batch_unsettled on sync.batch (id) where is_queued and settled_at is null;
create unique index batch_once_an_attempt on sync.batch (job, coalesce(due_at, '-infinity'), due_attempt);

-- No foreign key to its batch, and none from its slices: accounts can be spread over partitions and databases.
create table sync.run (
  account text not null,
  id bigint not null default (extract(epoch from clock_timestamp()) * 1000000)::bigint,
  batch_id bigint not null,
  worker_id bigint,
  attempt integer not null default 1,
  run_date date not null,
  status text not null default 'running'
    constraint run_status_known check (status in ('running', 'complete', 'failed', 'deferred', 'stopped')),
  plan jsonb,
  summary jsonb,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  given_up_at timestamptz,
  primary key (account, id),
  constraint run_once_a_worker unique (batch_id, account, attempt, worker_id)
);
comment on table sync.run is 'The part of one account in a batch, worked on by one process.';
comment on column sync.run.id is 'When it was made, in microseconds: never given twice, not even after a failover to a server that lacks the last rows.';
comment on column sync.run.worker_id is 'The process that works on it (sync.worker), which may be gone.';
comment on column sync.run.attempt is 'Counts the account''s runs in this batch: another one goes on after the budget renews, or after a job of a higher priority.';
comment on column sync.run.run_date is 'Fixed when the run starts.';
comment on column sync.run.plan is 'What was expected before the first request.';
comment on column sync.run.summary is 'The result: slices by status, requests, versions written.';
comment on column sync.run.given_up_at is 'When it was given up because its process seemed dead: it can write nothing any more.';

create index run_running on sync.run (id) where status = 'running';
create index run_by_worker on sync.run (worker_id) where status = 'running';

create table sync.view_refresh (
  is_only boolean primary key default true constraint view_refresh_only_one check (is_only),
  started_at timestamptz not null,
  result jsonb not null
);
comment on table sync.view_refresh is 'The last refresh of the views after a batch.';
comment on column sync.view_refresh.started_at is 'Data committed before this moment is in the views.';
comment on column sync.view_refresh.result is 'Drift that it found, and stale views.';

-- Here and not in sql/code, because stored values of sync.slice are computed by it.
create function sync.block_days() returns integer
  language sql immutable parallel safe
  return 64;
comment on function sync.block_days is 'Days of a block: the daily views read the versions of a scope once a block.';

create table sync.slice (
  account text not null,
  id bigint generated always as identity,
  stream text not null,
  client_id text not null default '',
  run_date date not null,
  next_date date,
  -- A column, because the planner's Memoize works with columns only.
  block_from date not null generated always as (
    date '0001-01-01' + (run_date - date '0001-01-01') / sync.block_days() * sync.block_days()
  ) stored,
  status text not null default 'planned'
    constraint slice_status_known
    check (status in ('planned', 'walking', 'complete', 'failed', 'deferred', 'unavailable')),
  walk text not null default 'full'
    constraint slice_walk_known check (walk in ('full', 'incremental', 'details', 'left')),
  run_id bigint,
  error text,
  started_at timestamptz,
  walked_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz not null default now(),
  pages integer not null default 0,
  pages_saved integer not null default 0,
  records bigint not null default 0,
  requests integer not null default 0,
  inserted bigint not null default 0,
  changed bigint not null default 0,
  vanished bigint not null default 0,
  unchanged bigint not null default 0,
  key_conflicts bigint not null default 0,
  replaced_values bigint not null default 0,
  full_run_date date,
  depth integer,
  late bigint not null default 0,
  failed_rule text,
  failed_validations integer not null default 0,
  unpublished_records bigint not null default 0,
  lacking text[],
  primary key (account, id),
  constraint slice_once_a_date unique (account, stream, client_id, run_date)
) with (fillfactor = 80);
-- Here and not in "create table": there the clause came with Postgres 16.
alter table sync.slice alter column lacking set storage external;
comment on table sync.slice is 'One stream × account × client × run date: the unit of planning, walking, resuming and publishing.';
comment on column sync.slice.client_id is 'The client''s identifier as the API gives it; '''' for the account itself.';
comment on column sync.slice.next_date is 'The next run date of this stream and scope of which anything is published, written with that; null: none is.';
comment on column sync.slice.block_from is 'The first of the sync.block_days() days that run_date is one of.';
comment on column sync.slice.status is 'Status of the latest attempt. completed_at says whether data is published.';
comment on column sync.slice.walk is 'full: every page; incremental: first pages, the tail carried forward; details: one request for each new or changed record; left: the client is no longer listed, so nothing is requested.';
comment on column sync.slice.run_id is 'The run that works on it or did so last.';
comment on column sync.slice.walked_at is 'When an attempt last ended by itself: published, failed or unavailable. Null: it has only waited for budget so far.';
comment on column sync.slice.completed_at is 'When this run date was published last; null: nothing of it is published.';
comment on column sync.slice.pages_saved is 'Incremental: pages of the last full refresh that were not requested again.';
comment on column sync.slice.requests is 'Attempts of the latest walk, retries included.';
comment on column sync.slice.inserted is 'Records that the run date before did not have.';
comment on column sync.slice.changed is 'Records with other content than before.';
comment on column sync.slice.vanished is 'Records that the run date before had and this one does not.';
comment on column sync.slice.unchanged is 'Records with the same content as before.';
comment on column sync.slice.key_conflicts is 'Records whose record key was missing or repeated: stored under their key and a content hash.';
comment on column sync.slice.replaced_values is 'Values that jsonb cannot hold (\u0000, a lone surrogate, a number beyond numeric), replaced or stored as text.';
comment on column sync.slice.full_run_date is 'Run date of the last full refresh of this stream and scope, this one included.';
comment on column sync.slice.depth is 'Full refreshes of archives: the deepest page with a new or changed record; 0: none; null: nothing to compare with.';
comment on column sync.slice.late is 'Full refreshes of archives: records that an incremental refresh would have missed, those that vanished included.';
comment on column sync.slice.failed_rule is 'Rule of validation that the newest walk failed: no_data, unusual, other_client, refused, vanished, client_keys, new_keys, loop or page_limit; null: none.';
comment on column sync.slice.failed_validations is 'Walks of this run date that failed their validation.';
comment on column sync.slice.unpublished_records is 'Records of the walk that failed.';
comment on column sync.slice.lacking is 'Keys that are published and that the walk that failed did not find; of many, a sample.';

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
-- The few that are not at their end, among those of years.
create index slice_open on sync.slice (account, run_date) where status in ('planned', 'walking', 'deferred', 'failed');
create index slice_by_key_conflict on sync.slice (stream, run_date) where key_conflicts > 0 and completed_at is not null;
-- Finds, at each refresh of sync.client, whether a client ever left.
create index slice_by_departure on sync.slice (account, run_date) where stream = 'clientes' and vanished > 0;

create table sync.newest (
  stream text not null,
  account text not null,
  client_id text not null,
  run_date date not null,
  completed_at timestamptz not null,
  primary key (account, stream, client_id)
) with (fillfactor = 70);
comment on table sync.newest is 'The newest published slice of every scope, written by publishing: what views of current records join.';
create index newest_by_stream on sync.newest (stream);

create table sync.client (
  account text not null,
  client_id text not null,
  listed_name text,
  left_on date,
  absence datemultirange,
  client_sector text,
  client_country text,
  primary key (account, client_id)
);
comment on table sync.client is 'The clients that are or were listed, and the accounts themselves (client_id empty), by sync.refresh_clients: what every curated view joins for names.';
comment on column sync.client.left_on is 'Since when a client that has not come back is gone.';
comment on column sync.client.absence is 'Dates on which a client that left was not in the list, until it came back if it did; null: it never left.';

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
  has_new_types boolean not null default true,
  is_reread boolean not null default false,
  list jsonb not null,
  rest jsonb,
  fetched_at timestamptz not null default now(),
  primary key (account, slice_id, page_no),
  foreign key (account, slice_id) references sync.slice (account, id) on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);
-- Pages live for seconds: the default compression is slow and costs more than the space it saves.
alter table sync.page alter column list set storage external, alter column rest set storage external;
comment on table sync.page is 'Pages in flight, deleted on publish. The newest row of a slice is its checkpoint.';
comment on column sync.page.cursor is 'The cursor the page was asked with; '''' for the first.';
comment on column sync.page.next_cursor is 'The cursor of the next page; null: this was the last.';
comment on column sync.page.record_key is 'Set: the whole body is one record with this key.';
comment on column sync.page.has_new_types is 'May hold types of fields that neither a page before it nor a published walk of its stream held.';
comment on column sync.page.is_reread is 'A first page that was read again after the walk; no part of the chain of cursors.';
comment on column sync.page.list is 'The records of the page, an array.';
comment on column sync.page.rest is 'What the body holds beside its list and paginacion; null: nothing.';

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
comment on table sync.stream is 'What was found in the data of an account''s stream and fixed.';
comment on column sync.stream.record_key is 'Paths that identify a record, as [["id"]]; []: its content does.';
comment on column sync.stream.list_key is 'Where the list is, if the API reference gives no key: its key in the body; '''': the body itself is the list.';

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
  primary key (account, day)
) with (fillfactor = 50);
comment on table sync.budget is 'Requests granted by account and day of the server''s budget.';
comment on column sync.budget.used is 'Requests granted and not given back.';

create table sync.budget_minute (
  account text not null,
  frees_at timestamptz not null,
  requests integer not null,
  primary key (account, frees_at)
) with (fillfactor = 50);
comment on table sync.budget_minute is 'Places of the minute that are taken, by the time at which they are free again; deleted a minute after that.';

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

-- Somebody else uses the key: all processes slow down once an answer of one of them shows that in the server's count.
create table sync.budget_other_users (
  account text primary key,
  expected_until timestamptz not null,
  refused_at timestamptz,
  fixed boolean,
  places integer,
  remaining integer,
  sure integer,
  read_at timestamptz,
  latency interval,
  ends_from timestamptz,
  ends_by timestamptz,
  seen integer,
  seen_since timestamptz
) with (fillfactor = 50);
comment on table sync.budget_other_users is 'One row an account whose key somebody else uses too, with the newest count that the server told.';
comment on column sync.budget_other_users.expected_until is 'Until then one request at a time is risked near the limit.';
comment on column sync.budget_other_users.refused_at is 'When the server last refused a request (429 rate_limited).';
comment on column sync.budget_other_users.fixed is 'The server''s minutes renew at once; false: each request leaves the count a minute after it came.';
comment on column sync.budget_other_users.places is 'The server''s limit a minute.';
comment on column sync.budget_other_users.remaining is 'Requests it still allowed in the newest answer.';
comment on column sync.budget_other_users.sure is 'Requests of ours that were certainly in its count then.';
comment on column sync.budget_other_users.ends_by is 'When the server''s minute ends at the latest.';
comment on column sync.budget_other_users.seen is 'Requests of other users that were counted in the current minute.';
comment on column sync.budget_other_users.seen_since is 'When that minute was first read.';

-- Every path and type seen in the data of each source is kept here, with which of them are new or gone.

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
create table sync.field_observation (
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
comment on table sync.field_observation is 'What publishes saw, until it is merged into sync.field.';

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
  detected_at timestamptz not null default now(),
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

-- Mappings are what the curated views are made from.

create table sync.mapping (
  source text not null,
  field text not null,
  path text,
  origin text not null constraint mapping_origin_known check (origin in ('found', 'command', 'configuration')),
  score numeric,
  filled numeric,
  read numeric,
  mapped_at timestamptz not null default now(),
  primary key (source, field)
);
comment on table sync.mapping is 'Where each logical field of the curated views is in the data. A field without a row is unmapped.';
comment on column sync.mapping.path is 'In the language of docs/views.md; null: deliberately none.';
comment on column sync.mapping.origin is 'found: by what its values look like and its name; command: airank map; configuration: airank.config.yaml. Later ones of this list win.';
comment on column sync.mapping.score is 'How sure it is that the field is there, 0 to 1; null: a person said it.';
comment on column sync.mapping.filled is 'Share of the records that have it.';
comment on column sync.mapping.read is 'Share of the values that can be read as the field''s type.';

create table sync.mapping_search (
  source text primary key,
  records integer not null,
  unchanged_searches integer not null,
  is_settled boolean not null,
  fields text[] not null,
  asked text[] not null,
  searched_at timestamptz not null default clock_timestamp()
);
comment on table sync.mapping_search is 'What the mapping of a logical source was learned from.';
comment on column sync.mapping_search.records is 'Records that were looked at, of the versions that there were.';
comment on column sync.mapping_search.unchanged_searches is 'Searches in a row that changed nothing.';
comment on column sync.mapping_search.is_settled is 'What is mapped changes by people only. What is not may still be found, when fields are new in the data.';
comment on column sync.mapping_search.fields is 'What was looked for: a release may add fields.';
comment on column sync.mapping_search.asked is 'Of the fields that were not found, those for which something was proposed; nothing looks like the others.';

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

-- Everything sent to the service stands here: logs, questions, measurements.

create table sync.write_source (
  account text not null,
  id bigint generated always as identity,
  name text not null,
  device text,
  inode text,
  block_bytes integer not null,
  block_hash bytea not null,
  first_seen timestamptz not null default now(),
  last_seen timestamptz not null default now(),
  primary key (account, id)
);
comment on table sync.write_source is 'Logs that were read. Renamed, rotated and compressed copies of one log are one source.';
comment on column sync.write_source.name is 'File name when it was last seen, without its folder; - for standard input.';
comment on column sync.write_source.block_bytes is 'Length of the first block whose hash tells the source, in bytes of the decompressed content.';
comment on column sync.write_source.block_hash is 'SHA-256 of that block, which begins after leading NULs.';

-- Committed as planned, then as sending, then with its outcome, so that nothing is sent twice without being asked to.
create table sync.write (
  account text not null,
  id bigint generated always as identity,
  kind text not null constraint write_kind_known check (kind in ('logs', 'questions', 'measurement')),
  status text not null default 'planned'
    constraint write_status_known check (status in ('planned', 'sending', 'accepted', 'refused', 'unknown', 'empty')),
  source_id bigint,
  from_byte bigint,
  to_byte bigint,
  tail_hash bytea,
  body_bytes integer,
  amount integer not null default 0,
  takes integer not null default 1,
  counts jsonb,
  visits jsonb,
  subject text,
  job text,
  attempts integer not null default 0,
  http_status integer,
  answer text,
  planned_at timestamptz not null default now(),
  sent_at timestamptz,
  ended_at timestamptz,
  skipped_at timestamptz,
  primary key (account, id),
  foreign key (account, source_id) references sync.write_source (account, id)
);
comment on table sync.write is 'Every request that writes to the service, and what became of it. Holds neither lines of logs nor addresses.';
comment on column sync.write.status is 'planned: not sent yet; sending: its outcome is not known yet; accepted, refused: as the service answered; unknown: sent, and nobody knows whether it arrived; empty: nothing in it to send.';
comment on column sync.write.from_byte is 'Range of the source, in bytes of the decompressed content; to_byte is excluded.';
comment on column sync.write.tail_hash is 'SHA-256 of the 4,096 bytes before the end of the range, or of all where there are fewer: tells a copy from another log with the same beginning.';
comment on column sync.write.amount is 'Lines, questions or measurements in it.';
comment on column sync.write.takes is 'Places in the limit of its kind: 1 an upload or measurement, as many as it has questions.';
comment on column sync.write.counts is 'Lines that were read, and why lines were left out.';
comment on column sync.write.visits is 'Visits in the lines that are sent, until they are counted in sync.crawler_visit; null: counted, or there are none.';
comment on column sync.write.subject is 'The business that is measured.';
comment on column sync.write.job is 'The job that sent it; null: by hand.';
comment on column sync.write.attempts is 'Times it was sent; requests that never reached the service are not counted.';
comment on column sync.write.answer is 'The beginning of the service''s answer, without secrets.';
comment on column sync.write.planned_at is 'When it was planned; of a range of a log, when the push began to read: lines that were not too old then are not when it is read again.';
comment on column sync.write.skipped_at is 'When somebody decided to leave it as it is: refused or unknown, and not reported any more.';

create unique index write_range on sync.write (account, source_id, from_byte) where source_id is not null;
create index write_open on sync.write (account, kind) where status in ('planned', 'sending', 'unknown', 'refused') and skipped_at is null;

create table sync.question (
  account text not null,
  hash bytea not null,
  text text,
  write_id bigint,
  planned_at timestamptz not null default now(),
  sent_at timestamptz,
  primary key (account, hash)
);
comment on table sync.question is 'Questions that were given to be sent.';
comment on column sync.question.text is 'Until it is accepted; null: only the hash stays.';
comment on column sync.question.write_id is 'The request that sends or sent it; null: it waits.';
comment on column sync.question.sent_at is 'When it was accepted last.';

create table sync.budget_write (
  account text not null,
  id bigint generated always as identity,
  kind text not null,
  write_id bigint not null,
  attempt integer not null,
  amount integer not null,
  at timestamptz not null,
  primary key (account, id)
);
comment on table sync.budget_write is 'What writes took of their own limits: uploads an hour, questions and measurements a day. Deleted after two days.';
create index budget_write_at on sync.budget_write (account, kind, at);

create table sync.budget_write_closed (
  account text not null,
  kind text not null,
  until timestamptz not null,
  reason text not null,
  noted_at timestamptz not null default now(),
  primary key (account, kind)
);
comment on table sync.budget_write_closed is 'The service refused a kind of write until then.';

-- Each range of a log holds its own visits until they are counted here.
create table sync.crawler_visit (
  account text not null,
  host text not null,
  bot text not null,
  day date not null,
  status integer not null,
  visits bigint not null,
  primary key (account, day, bot, host, status)
);
comment on table sync.crawler_visit is 'Visits of AI bots by the lines of logs that the service took. Holds neither paths nor addresses.';
comment on column sync.crawler_visit.host is 'Host that was asked for; empty where the log does not say it.';
comment on column sync.crawler_visit.day is 'Day of the visit, in UTC.';
comment on column sync.crawler_visit.status is 'HTTP status of the answer; 0 where the visitor was gone before there was one.';

-- Notes, alerts, incidents and reports.

create table sync.note (
  account text not null,
  id bigint generated always as identity,
  client_id text not null default '',
  note_date date not null,
  text text not null,
  noted_at timestamptz not null default now(),
  primary key (account, id)
);
comment on table sync.note is 'Notes of people on a day of a client; client_id empty: of the account.';
create index note_by_client on sync.note (client_id, note_date);

create table sync.alert_watch (
  account text not null,
  rule text not null,
  client_id text not null,
  watched_since date not null,
  mapping text not null default '',
  primary key (account, rule, client_id)
);
comment on table sync.alert_watch is 'Since when a rule watches a client. What was so on that date is no news.';
comment on column sync.alert_watch.watched_since is 'Date of the data that the rule read first; only what is later is an alert.';
comment on column sync.alert_watch.mapping is 'Where the fields that it needs were found then; it begins anew once they are found elsewhere.';

create table sync.alert (
  account text not null,
  id bigint generated always as identity,
  client_id text not null,
  rule text not null,
  subject text not null,
  alert_date date not null,
  severity text not null constraint alert_severity_known check (severity in ('warning', 'good', 'info')),
  title text not null,
  title_en text,
  title_es text,
  detail text,
  before_value numeric,
  after_value numeric,
  threshold numeric,
  unit text,
  lasts boolean not null,
  is_silent boolean not null,
  is_muted boolean not null default false,
  raised_at timestamptz not null default now(),
  ended_on date,
  is_recovered boolean not null default false,
  acknowledged_at timestamptz,
  primary key (account, id)
);
comment on table sync.alert is 'What rules found in the figures of clients, each once.';
comment on column sync.alert.subject is 'What of the client it is about: a method, a page, a competitor, a currency. Of one subject one alert lasts at a time.';
comment on column sync.alert.lasts is 'It lasts until the figures recover; false: it happened once and has no end.';
comment on column sync.alert.is_silent is 'It was so when the rule began: nobody is told, and no view shows it.';
comment on column sync.alert.is_muted is 'It was raised while the rule was muted: nobody is told.';
comment on column sync.alert.ended_on is 'Date of the data that showed the end; null: it lasts.';
comment on column sync.alert.is_recovered is 'It ended because the figures were back; false: another alert on the same took its place.';

-- A claim may be longer than an index holds, so subjects are told apart by their hash.
create unique index alert_once on sync.alert (account, client_id, rule, md5(subject), alert_date);
create unique index alert_lasting on sync.alert (account, client_id, rule, md5(subject)) where lasts and ended_on is null;
create index alert_by_client on sync.alert (client_id, alert_date);
create index alert_by_date on sync.alert (account, alert_date);

create table sync.delivery (
  account text not null,
  kind text not null constraint delivery_kind_known check (kind in ('alert', 'digest', 'incident')),
  about text not null,
  channel text not null,
  told_at timestamptz,
  told_over_at timestamptz,
  attempts integer not null default 0,
  attempted_at timestamptz,
  error text,
  primary key (account, kind, about, channel)
);
comment on table sync.delivery is 'What a channel is to be told, and whether it took it: alerts, weekly summaries, incidents.';
comment on column sync.delivery.account is 'Empty: an incident of no account.';
comment on column sync.delivery.about is 'Number of the alert, day of the week on which the summary is due, or cause of the incident.';
comment on column sync.delivery.channel is 'Name of a webhook, or a mail address.';
comment on column sync.delivery.told_at is 'When the channel took it last; null: not yet.';
comment on column sync.delivery.told_over_at is 'When the channel took last that the incident is over.';
comment on column sync.delivery.attempts is 'Tries in a row that failed. A channel that is down is asked less and less often.';
comment on column sync.delivery.attempted_at is 'When it was tried last; null: not yet.';

create index delivery_open on sync.delivery (channel, kind) where told_at is null;

create table sync.alert_mute (
  account text not null,
  id bigint generated always as identity,
  rule text not null,
  client_id text,
  until_date date,
  muted_at timestamptz not null default now(),
  primary key (account, id)
);
comment on table sync.alert_mute is 'Rules of which nobody is told for a while.';
comment on column sync.alert_mute.client_id is 'Null: of no client of the account.';
comment on column sync.alert_mute.until_date is 'From this date on people are told again; null: until it is taken back.';

create table sync.incident (
  cause text primary key,
  kind text not null,
  account text,
  message text not null,
  detail text,
  since timestamptz not null,
  over_at timestamptz
);
comment on table sync.incident is 'Incidents that people are told of, one row a cause; stored for some weeks after it is over.';
comment on column sync.incident.cause is 'What the incident is, such as key:acme; told once a day at most.';
comment on column sync.incident.message is 'In names, types, numbers and statuses; no value of the data.';
comment on column sync.incident.detail is 'The same with what it quotes: an example of a field, what the server or Postgres answered; null: it quotes nothing.';
comment on column sync.incident.since is 'When it began, the last time.';
comment on column sync.incident.over_at is 'When it was over; null: it still lasts.';

-- Nobody gets a report twice, and an address that was refused is tried again.
create table sync.report_sent (
  account text not null,
  client_id text not null,
  period_from date not null,
  period_to date not null,
  language text not null,
  address text not null,
  sent_at timestamptz not null default now(),
  primary key (account, client_id, period_from, period_to, language, address)
);
comment on table sync.report_sent is 'Reports that a mail server took, one row an address.';
comment on column sync.report_sent.address is 'In lower case, without a name.';

-- Clients that are no longer stored, and names that accounts had.

create table sync.forgotten (
  account text not null,
  client_hash bytea not null,
  forgotten_at timestamptz not null default now(),
  counts jsonb not null default '{}',
  finished_at timestamptz,
  primary key (account, client_hash)
);
comment on table sync.forgotten is 'Clients whose records are deleted, and that no sync walks or stores again.';
comment on column sync.forgotten.client_hash is 'HMAC-SHA256 of the client''s identifier, by the key in sync.forget_key.';
comment on column sync.forgotten.counts is 'Rows that were deleted, by table, over all attempts.';
comment on column sync.forgotten.finished_at is 'When everything was deleted; null: an attempt ended before.';

-- Both halves of an HMAC key: the key xor 0x36 and xor 0x5c, 64 bytes each.
create table sync.forget_key (
  is_only boolean primary key default true constraint forget_key_only_one check (is_only),
  inner_key bytea not null,
  outer_key bytea not null
);
comment on table sync.forget_key is 'The random key under which identifiers of forgotten clients are hashed.';

create table sync.new_account (
  account text primary key,
  noted_at timestamptz not null default now()
);
comment on table sync.new_account is 'Accounts that somebody called new (airank sync --new-account): they begin a history although the configuration lacks an account that has one.';

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

-- Typed rows that are derived from several records. Those of a logical source are made by the program.

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
-- Nothing tells two of its rows apart, and a publication of all tables asks how an old one is named.
alter table typed.rank_point replica identity full;
comment on table typed.rank_point is 'Points of the AI Rank, one row a version and method. bi_map.rank_series decides which of several points of a date counts.';
comment on column typed.rank_point.source is 'The stream.';
comment on column typed.rank_point.is_standing is 'Without a date of its own: it stands for every complete run date of its version.';

create index rank_point_by_version on typed.rank_point (account, source, slice_client_id, until, from_date, record_key);
create index rank_point_by_series on typed.rank_point (account, client_id, method, date desc) where excluded_reason is null;
create index rank_point_by_client on typed.rank_point (client_id, date);
create index rank_point_by_date on typed.rank_point (date);
create index rank_point_standing on typed.rank_point (account, client_id) where is_standing;
-- Few points are left out of the trend, and they lie anywhere.
create index rank_point_excluded on typed.rank_point (account, client_id, method, excluded_reason) where excluded_reason is not null;

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
  since_date date,
  next_date date not null,
  primary key (account, slice_client_id, record_key, from_date, client_id)
);
comment on table typed.action_status is 'How the status of every action moved, one row an action and uninterrupted status. A record of an account-wide slice names its client; the same key of another client is another action.';
create index action_status_by_client on typed.action_status (client_id, from_date);
create index action_status_by_date on typed.action_status (from_date);

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
comment on table typed.action_expectation is 'The first expectation of every action that has one, and whether there was a second one.';
create index action_expectation_by_client on typed.action_expectation (client_id);

create table typed.mention_count (
  account text not null,
  slice_client_id text not null,
  client_id text not null,
  week_date date not null,
  measurement_id text not null,
  engine text,
  answer_count integer not null,
  question_count integer not null,
  known_count integer not null,
  mentioned_count integer not null,
  repeated_count integer not null,
  spread numeric not null
);
-- As of rank_point: the engine may be null.
alter table typed.mention_count replica identity full;
comment on table typed.mention_count is 'Answers of a client by engine and week, one row a scope. bi.mention_rates adds them up.';
comment on column typed.mention_count.week_date is 'Monday; -infinity: the answers tell no date and are of their measurement.';
comment on column typed.mention_count.measurement_id is 'Of answers that tell no date; empty for others, and where there is none.';
comment on column typed.mention_count.known_count is 'Answers of which is known whether they name the brand.';
comment on column typed.mention_count.repeated_count is 'Known answers to questions that were asked more than once.';
comment on column typed.mention_count.spread is 'The variance of the number of those that name the brand, by what answers to the same question differ: the sum of k (n - k) / (n - 1) over these questions.';

create index mention_count_by_group on typed.mention_count (account, slice_client_id, client_id, week_date, measurement_id);
create index mention_count_by_client on typed.mention_count (client_id, week_date);
create index mention_count_by_week on typed.mention_count (week_date);

create table typed.mention_change (
  account text not null,
  slice_client_id text not null,
  client_id text not null,
  to_date date not null,
  rate numeric,
  before_rate numeric,
  z numeric,
  greatest_z numeric,
  cell_count integer not null,
  question_count integer not null,
  answer_count integer not null,
  before_answer_count integer not null,
  questions_added integer not null,
  questions_dropped integer not null,
  primary key (account, slice_client_id, client_id)
);
comment on table typed.mention_change is 'The share of answers that name a client, over 28 days up to its newest answer and the 28 before, by question and engine. One row a client and scope.';
comment on column typed.mention_change.to_date is 'Date of the newest answer that counts: known, with question, engine and date.';
comment on column typed.mention_change.z is 'Null: no question was asked of an engine in both periods.';
comment on column typed.mention_change.greatest_z is 'What z would be if all answers of the one period named it and none of the other: what is below the bound can never be clear.';

create index mention_change_by_client on typed.mention_change (client_id);
