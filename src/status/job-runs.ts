// The history of each job's batches, as the scheduler needs it: the last success, the last attempt,
// and how often it failed since.
import { sql } from 'kysely';
import type { Executor, RunStatus } from '../db/database.ts';

export interface JobAttempt {
  /** Of the batch. */
  readonly id: number;
  /** `stopped` as well for one whose process died. */
  readonly status: RunStatus;
  readonly startedAt: Date;
  readonly finishedAt: Date | undefined;
  readonly dueAt: Date | undefined;
  /** When deferred slices can go on. */
  readonly deferredUntil: Date | undefined;
  /** The queue holds jobs of it, so accounts go on by themselves. */
  readonly continues: boolean;
  /** Taken out of the queue by a person. */
  readonly cancelled: boolean;
}

export interface JobHistory {
  /** Up to when the schedule is fulfilled: the start of the newest success, or the moment it was due. */
  readonly answeredUntil: Date | undefined;
  readonly lastSuccess: JobAttempt | undefined;
  readonly lastAttempt: JobAttempt | undefined;
  /** Since when the scheduler knows it, of a job that never ran before. */
  readonly begunAt?: Date;
  /** Attempts of the last 24 hours that failed since the last success. */
  readonly failures: number;
}

interface HistoryRow {
  name: string;
  answered_until: Date | null;
  began_at: Date | null;
  failures: number;
  success: AttemptRow | null;
  attempt: AttemptRow | null;
}

interface AttemptRow {
  id: number;
  status: RunStatus;
  started_at: string;
  finished_at: string | null;
  due_at: string | null;
  deferred_until: string | null;
  continues: boolean;
  cancelled: boolean;
}

/** Over b (sync.batch). Of another run date than that of its day, by hand: it says nothing of when the job is due. */
export const counts = sql`b.selection -> 'is_aside' is null`;

/** Histories by name; a job that never ran has an empty one. */
export async function readJobHistories(
  db: Executor,
  names: readonly string[],
): Promise<ReadonlyMap<string, JobHistory>> {
  const attempt = sql`
    jsonb_build_object('id', b.id, 'started_at', b.started_at, 'finished_at', b.finished_at, 'due_at', b.due_at,
      'status', case when b.status = 'running' and not sync.batch_is_alive(b.id) then 'stopped' else b.status end,
      'cancelled', b.is_queued and b.status = 'stopped',
      'continues', b.is_queued and exists (
        select from airank_jobs.jobs j where split_part(j.key, ':', 1) = b.id::text),
      'deferred_until', (select min(r.summary ->> 'deferred_until') from sync.run r where r.batch_id = b.id))`;
  const result = await sql<HistoryRow>`
    select j.name, s.answered_until, n.began_at, s.success, a.attempt,
      (select count(*) from sync.batch b
        where b.job = j.name and ${counts} and b.status = 'failed' and b.id > coalesce(s.id, 0)
          and b.started_at > now() - interval '1 day') as failures
    from unnest(${[...names]}::text[]) as j (name)
    left join lateral (
      select b.id, greatest(b.started_at, b.due_at) as answered_until, ${attempt} as success
      from sync.batch b where b.job = j.name and ${counts} and b.status = 'complete' order by b.id desc limit 1
    ) s on true
    left join lateral (
      select ${attempt} as attempt from sync.batch b where b.job = j.name and ${counts} order by b.id desc limit 1
    ) a on true
    left join sync.job_begin n on n.job = j.name`.execute(db);
  return new Map(
    result.rows.map((row) => [
      row.name,
      {
        answeredUntil: row.answered_until ?? undefined,
        ...(row.began_at !== null && { begunAt: row.began_at }),
        lastSuccess: attemptOf(row.success),
        lastAttempt: attemptOf(row.attempt),
        failures: row.failures,
      },
    ]),
  );
}

/** Jobs that are new begin now; those that are known or ran already stay as they are. */
export async function noteJobBegins(db: Executor, names: readonly string[]): Promise<void> {
  await sql`
    insert into sync.job_begin (job)
    select name from unnest(${[...names]}::text[]) as j (name)
    where not exists (select from sync.batch as b where b.job = j.name and ${counts})
    on conflict (job) do nothing`.execute(db);
}

/** Some process holds the lock of the scheduler. */
export async function readSchedulerAlive(db: Executor): Promise<boolean> {
  const result = await sql<{ alive: boolean }>`
    select sync.lock_is_held(sync.schedule_lock_class(), 0) as alive`.execute(db);
  return result.rows[0]?.alive === true;
}

function attemptOf(row: AttemptRow | null): JobAttempt | undefined {
  if (row === null) return undefined;
  const date = (text: string | null) => (text === null ? undefined : new Date(text));
  return {
    id: row.id,
    status: row.status,
    startedAt: new Date(row.started_at),
    finishedAt: date(row.finished_at),
    dueAt: date(row.due_at),
    deferredUntil: date(row.deferred_until),
    continues: row.continues,
    cancelled: row.cancelled,
  };
}
