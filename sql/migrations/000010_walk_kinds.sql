-- What a walk tells about the next one: how deep changes were, and which attempts ended by themselves.
alter table sync.slice
  add column walked_at timestamptz,
  add column pages_saved integer not null default 0,
  add column full_run_date date,
  add column depth integer,
  add column late bigint not null default 0;
comment on column sync.slice.walked_at is 'When an attempt last ended by itself: published, failed or unavailable. Null: it only ever waited for budget.';
comment on column sync.slice.pages_saved is 'Head walks: pages of the last full walk that were not requested again.';
comment on column sync.slice.full_run_date is 'Run date of the last full walk of this stream and scope, this one included.';
comment on column sync.slice.depth is 'Full walks of archives: the deepest page with a new or changed record; 0: none; null: nothing to compare with.';
comment on column sync.slice.late is 'Full walks of archives: records that a walk from the head would have missed, those that vanished included.';

update sync.slice set walked_at = coalesce(completed_at, updated_at)
where completed_at is not null or status in ('failed', 'unavailable');
update sync.slice set full_run_date = run_date where completed_at is not null and walk = 'full';

create index slice_by_date on sync.slice (account, run_date);
