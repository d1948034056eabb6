-- Deaths of workers with a job, in a table of ours: they stood in the rows of the queue's library, which are private.

create table sync.job_death (
  job_id bigint not null,
  worker_id bigint not null,
  primary key (job_id, worker_id)
);
comment on table sync.job_death is 'Workers in a row that died with a job of the queue, a row each. Rows of a job that is gone say nothing.';
comment on column sync.job_death.job_id is 'airank_jobs.jobs.id.';
comment on column sync.job_death.worker_id is 'Number that the worker had. A process that lives after all takes its row back by it.';

drop function if exists sync.queued_deaths();
drop function if exists sync.note_deaths(bigint);
