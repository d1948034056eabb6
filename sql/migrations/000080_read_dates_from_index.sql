-- The dates of a scope and when they were published, without a look at the rows: the daily views ask for them
-- once a version.
drop index sync.slice_by_scope;
create index slice_by_scope on sync.slice (account, stream, client_id, run_date desc) include (completed_at)
  where completed_at is not null;

-- The generated views are made anew: the planner finds the dates of a version by them.
update sync.source set viewed_at = null;
