-- What an unattended scheduler must remember: which moment of a schedule a run answered, and what it
-- has told people already.
alter table sync.run add column due_at timestamptz;
comment on column sync.run.due_at is 'The moment of the job''s schedule that it answered; null: by hand.';

create index run_by_job on sync.run (job, id desc);

create table sync.notice (
  cause text primary key,
  kind text not null,
  account text,
  message text not null,
  since timestamptz not null,
  over_at timestamptz,
  told_at timestamptz,
  told_over_at timestamptz
);
comment on table sync.notice is 'Trouble that people are told of, one row a cause; kept for some weeks after it is over.';
comment on column sync.notice.cause is 'What the trouble is, such as key:acme; told once a day at most.';
comment on column sync.notice.since is 'When it began, the last time.';
comment on column sync.notice.over_at is 'When it was mended; null: it lasts.';
comment on column sync.notice.told_at is 'When people were told of it last; null: not yet.';
comment on column sync.notice.told_over_at is 'When people were told last that it is over.';

-- Locks of a scheduler and of each job, held on a connection as the locks of runs are.
create function sync.schedule_lock_class() returns integer
  language sql immutable parallel safe
  return 1634493292;
comment on function sync.schedule_lock_class is 'First key of the advisory locks of the scheduler (second key 0) and of jobs (hash of the name).';
