-- Two schedulers that both find a moment of a job due make one batch of it, whatever locks they lost.

alter table sync.batch add column due_try integer;
comment on column sync.batch.due_try is
  'Queued: which batch of this moment of the job it is, from 1; accounts that failed are tried again by the next. null: by hand.';

update sync.batch b set due_try = n.due_try
from (select id, row_number() over (partition by job, due_at order by id) as due_try from sync.batch where is_queued) n
where n.id = b.id;

create unique index batch_once_a_try on sync.batch (job, coalesce(due_at, '-infinity'), due_try);

comment on schema typed is 'The tables behind the curated views, written by publishing, read by views alone.';
