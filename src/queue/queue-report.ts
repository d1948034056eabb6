// The queue as people see it: open batches with their accounts, and workers with what they do.
import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';

export interface OpenBatch {
  readonly id: number;
  readonly job: string;
  readonly started_at: Date;
  /** The moment of the schedule that it is for; null: none. */
  readonly due_at: Date | null;
  /** Accounts of the batch; 0: it is not about accounts. */
  readonly accounts: number;
  /** Accounts that may begin at once, or whose start is yet to come. */
  readonly waiting: number;
  readonly running: number;
  readonly deferred: number;
  readonly done: number;
  readonly failed: number;
  readonly slowest: string | null;
  readonly slowest_since: Date | null;
  readonly oldest_due: Date | null;
  readonly deaths: readonly QueuedDeath[];
}

interface QueuedDeath {
  /** '': the job is not about accounts. */
  readonly account: string;
  readonly deaths: number;
  /** Earliest start of the next attempt, ISO 8601. */
  readonly next_attempt_at: string;
}

/** Reads batches that have queue jobs or are not settled yet; the oldest first. */
export async function readOpenBatches(db: Executor): Promise<readonly OpenBatch[]> {
  const found = await sql<OpenBatch>`
    with jobs as (
      select id, split_part(key, ':', 1) as batch, split_part(key, ':', 2)::integer as attempt,
        split_part(key, ':', 3) as account, locked_at, run_at, waits
      from sync.queued_jobs() where key like '%:%:%'
    ), queued as (
      select batch,
        count(*) filter (where locked_at is null and (attempt = 1 or run_at <= now() or waits))::integer as waiting,
        count(*) filter (where locked_at is null and attempt > 1 and run_at > now() and not waits)::integer as deferred,
        min(run_at) filter (where locked_at is null and run_at <= now()) as oldest_due
      from jobs group by batch
    ), died as (
      select batch, jsonb_agg(jsonb_build_object('account', account, 'deaths', deaths,
        'next_attempt_at', to_char(run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by account) as deaths
      from jobs join (select job_id as id, count(*) as deaths from sync.job_death group by job_id) d using (id) group by batch
    )
    select b.id, b.job, b.started_at, b.due_at, coalesce(jsonb_array_length(b.selection -> 'accounts'), 0) as accounts,
      coalesce(q.waiting, 0) as waiting, coalesce(q.deferred, 0) as deferred, q.oldest_due,
      coalesce(d.deaths, '[]') as deaths, r.running, r.done, r.failed, r.slowest, r.slowest_since
    from sync.batch b
    left join queued q on q.batch = b.id::text
    left join died d on d.batch = b.id::text
    cross join lateral (
      select
        count(*) filter (where n.status = 'running')::integer as running,
        count(*) filter (where n.status = 'complete')::integer as done,
        count(*) filter (where n.status = 'failed')::integer as failed,
        (array_agg(n.account order by n.started_at) filter (where n.status = 'running'))[1] as slowest,
        min(n.started_at) filter (where n.status = 'running') as slowest_since
      from (
        select distinct on (r.account) r.account, r.status, r.started_at
        from sync.run r where r.batch_id = b.id order by r.account, r.id desc
      ) n
    ) r
    where b.is_queued and (b.settled_at is null or q.batch is not null)
    order by b.id`.execute(db);
  return found.rows;
}

export interface WorkerLine {
  readonly id: number;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** Kinds of jobs that it takes; []: a command by hand. */
  readonly kinds: readonly string[];
  readonly accounts_at_once: number;
  /** `dead`: its lock is missing, and others are about to take over what it has. */
  readonly state: 'waiting' | 'working' | 'stopping' | 'dead';
  readonly waits_for: string | null;
  readonly started_at: Date;
  readonly accounts: readonly string[];
  readonly ended: number;
}

/** Processes that work on accounts, the oldest first. */
export async function readWorkers(db: Executor): Promise<readonly WorkerLine[]> {
  const found = await sql<WorkerLine>`
    select w.id, w.host, w.pid, w.version, w.kinds, w.accounts_at_once, w.waits_for, w.started_at,
      case when sync.lock_is_held(sync.worker_lock_class(), w.id) then w.state else 'dead' end as state,
      coalesce(r.accounts, '{}') as accounts, r.ended
    from sync.worker w
    cross join lateral (
      select array_agg(r.account order by r.account) filter (where r.status = 'running') as accounts,
        count(*) filter (where r.status <> 'running')::integer as ended
      from sync.run r where r.worker_id = w.id
    ) r
    order by w.started_at, w.id`.execute(db);
  return found.rows;
}
