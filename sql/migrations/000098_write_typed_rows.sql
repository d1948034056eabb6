-- Publishing writes the typed rows of the curated views itself: what was filled after a run, and read from the
-- versions until then, goes. The views are made anew after the migrations.
drop schema bi_map cascade;
create schema bi_map;
comment on schema bi_map is 'The logical fields of the curated views: current, by run date and by version. Not for dashboards.';
delete from sync.bi_view;
alter table sync.newest
  drop column is_kept,
  drop column kept_date,
  drop column kept_at,
  drop column month_from,
  drop column month_until;

create schema typed;
comment on schema typed is 'The tables behind the curated views, written by publishing, read by the views of bi_map and by nobody else.';

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
comment on column sync.typed_table.hash is 'Of the statements that make and fill it: another hash means that it has to be filled anew.';

create table sync.typed_scope (
  source text not null,
  account text not null,
  client_id text not null,
  primary key (source, account, client_id)
);
comment on table sync.typed_scope is 'Scopes that the table beside the current one holds already.';

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
comment on table typed.rank_point is 'Points of the AI Rank, one row a version and method. Which of several of one date counts is decided in bi_map.rank_series.';
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
comment on table typed.action_status is 'How the status of every action moved, one row an action and uninterrupted status. A record of an account-wide slice says whose it is: another client is another action.';

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
comment on table typed.action_expectation is 'The first expectation of every action that has one, and whether there was another one.';
