-- Tables that the curated views read in place of the records' jsonb: what is kept of which scope.
alter table sync.newest
  add column kept_date date,
  add column kept_at timestamptz,
  add column is_kept boolean not null generated always as (kept_at is not distinct from completed_at) stored;
comment on column sync.newest.kept_date is 'The run_date that the kept tables of the stream (bi_map.<source>_kept) hold this scope of; null: nothing of it.';
comment on column sync.newest.kept_at is 'The completed_at of what they hold.';
comment on column sync.newest.is_kept is 'The kept tables hold what is published. If not, the curated views read this scope from its versions.';

-- Dates of one stream, and what one client has, whatever the stream.
create index slice_by_stream_date on sync.slice (stream, run_date);
create index slice_by_run_date on sync.slice (run_date);
create index slice_by_client on sync.slice (client_id, run_date);

create table bi_map.rank_kept (
  account text not null,
  client_id text not null,
  method text not null,
  date date not null,
  score numeric not null,
  position numeric,
  dimensions jsonb,
  source text not null,
  primary key (account, client_id, method, date)
);
create index rank_kept_by_date on bi_map.rank_kept (date);
comment on table bi_map.rank_kept is 'The comparable points of the AI Rank: bi_map.rank_series_live of every client whose rank scopes are kept.';

-- The generated views are made anew: they read each version once.
update sync.source set viewed_at = null;
