-- Processes that work on accounts, and the queue that divides account runs among them.

create table sync.worker (
  id bigint generated always as identity primary key,
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
comment on column sync.worker.pool is 'What the queue writes into locked_by; null: it takes no jobs.';
comment on column sync.worker.application is 'application_name of its connections and of no others; null: a command by hand.';
comment on column sync.worker.kinds is 'Kinds of jobs that it takes; {}: a command by hand.';
comment on column sync.worker.waits_for is 'Why it takes no jobs, for people; null: it does.';
comment on column sync.worker.given_up_at is 'Others go on with its work; it may begin nothing under this number.';
comment on column sync.worker.missed_at is 'Since when its lock is missed; null: it was there at the last look.';

create unique index worker_by_pool on sync.worker (pool) where pool is not null;

-- Another configuration would give other results: workers take jobs only with the one that the scheduler has.
create table sync.fleet (
  is_only boolean primary key default true constraint fleet_only_one check (is_only),
  version text not null,
  digest text not null,
  settings jsonb not null,
  changed_at timestamptz not null default now()
);
comment on table sync.fleet is 'The configuration of the scheduler, which workers compare with theirs.';
comment on column sync.fleet.digest is 'Hash of the settings.';
comment on column sync.fleet.settings is 'By name: the value as JSON, of secrets a salted hash.';

alter table sync.batch
  add column is_queued boolean not null default false,
  add column worker_id bigint,
  add column settled_at timestamptz;
comment on table sync.batch is 'One execution of a job over its accounts: by one process that lives as long, or through the queue.';
comment on column sync.batch.is_queued is 'Its account runs are jobs of the queue, of which any worker takes some.';
comment on column sync.batch.worker_id is 'The process that works on all of it; null: it is queued.';
comment on column sync.batch.settled_at is 'Queued: when the scheduler has last settled it; null: it has not, and account runs may wait or work.';

create index batch_unsettled on sync.batch (id) where is_queued and settled_at is null;

alter table sync.run
  drop constraint run_once_a_batch,
  add column worker_id bigint,
  add column attempt integer not null default 1,
  add column given_up_at timestamptz,
  add constraint run_once_a_worker unique (batch_id, account, attempt, worker_id);
comment on table sync.run is 'The part of one account in a batch, worked on by one process.';
comment on column sync.run.worker_id is 'The process that works on it (sync.worker), which may be gone.';
comment on column sync.run.attempt is 'Counts what the queue holds for the account in this batch: the second goes on after the budget renews.';
comment on column sync.run.given_up_at is 'When it was given up because its process seemed dead: it can write nothing any more.';
create index run_by_worker on sync.run (worker_id) where status = 'running';

drop function if exists sync.run_is_alive(bigint);
drop function if exists sync.batch_is_alive(bigint);
drop function if exists sync.run_lock_class();
drop function if exists sync.batch_lock_class();
