-- Run dates that were thinned out, and clients that are no longer stored.

alter table sync.slice drop constraint slice_status_known;
alter table sync.slice add constraint slice_status_known
  check (status in ('planned', 'walking', 'complete', 'failed', 'deferred', 'unavailable', 'pruned'));
comment on column sync.slice.status is 'Status of the latest attempt; pruned: it was published, and its versions are thinned out. completed_at says whether data is published.';
comment on column sync.slice.completed_at is 'When this run date was published last; null: nothing of it is published, or it is pruned.';

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

-- An account is renamed in one transaction, the rows that point to others by it included.
alter table sync.page alter constraint page_account_slice_id_fkey deferrable initially immediate;
alter table sync.alert_telling alter constraint alert_telling_account_alert_id_fkey deferrable initially immediate;
