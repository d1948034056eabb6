-- The daily views read the versions of 64 days at once and remember them for each of those days. A column of its
-- own, because the planner remembers by columns only.
alter table sync.slice
  add column block_from date not null generated always as (date '0001-01-01' + (run_date - date '0001-01-01') / 64 * 64) stored;
comment on column sync.slice.block_from is 'The first of the 64 days that run_date is one of.';

drop index sync.slice_by_scope;
create index slice_by_scope on sync.slice (account, stream, client_id, run_date desc) include (completed_at, block_from)
  where completed_at is not null;

-- The generated views are made anew.
update sync.source set viewed_at = null;
