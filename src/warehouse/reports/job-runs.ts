// What became of the runs of each job, as the scheduler needs it: the last success, the last attempt,
// and how often it failed since.
import { sql } from 'kysely';
import type { Executor, RunStatus } from '../connection/database.ts';

export interface JobAttempt {
  readonly id: number;
  /** `stopped` as well for one whose process died. */
  readonly status: RunStatus;
  readonly startedAt: Date;
  readonly finishedAt: Date | undefined;
  readonly dueAt: Date | undefined;
  /** When deferred slices can go on. */
  readonly deferredUntil: Date | undefined;
}

export interface JobHistory {
  /** Up to when the schedule is answered: the newest success's start, or the moment it was due. */
  readonly answeredUntil: Date | undefined;
  readonly lastSuccess: JobAttempt | undefined;
  readonly lastAttempt: JobAttempt | undefined;
  /** Attempts that failed since the last success, the newest day's at most. */
  readonly failures: number;
}

interface HistoryRow {
  name: string;
  answered_until: Date | null;
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
}

/** Histories by name; a job that never ran has an empty one. */
export async function readJobHistories(
  db: Executor,
  names: readonly string[],
): Promise<ReadonlyMap<string, JobHistory>> {
  const attempt = sql`
    jsonb_build_object('id', r.id, 'started_at', r.started_at, 'finished_at', r.finished_at, 'due_at', r.due_at,
      'status', case when r.status = 'running' and not sync.run_is_alive(r.id) then 'stopped' else r.status end,
      'deferred_until', (select min(a ->> 'deferred_until') from jsonb_array_elements(r.summary -> 'accounts') as a))`;
  const result = await sql<HistoryRow>`
    select j.name, s.answered_until, s.success, a.attempt,
      (select count(*) from sync.run r
        where r.job = j.name and r.status = 'failed' and r.id > coalesce(s.id, 0)
          and r.started_at > now() - interval '1 day') as failures
    from unnest(${[...names]}::text[]) as j (name)
    left join lateral (
      select r.id, greatest(r.started_at, r.due_at) as answered_until, ${attempt} as success
      from sync.run r where r.job = j.name and r.status = 'complete' order by r.id desc limit 1
    ) s on true
    left join lateral (
      select ${attempt} as attempt from sync.run r where r.job = j.name order by r.id desc limit 1
    ) a on true`.execute(db);
  return new Map(
    result.rows.map((row) => [
      row.name,
      {
        answeredUntil: row.answered_until ?? undefined,
        lastSuccess: attemptOf(row.success),
        lastAttempt: attemptOf(row.attempt),
        failures: row.failures,
      },
    ]),
  );
}

/** Some process holds the lock of the scheduler. */
export async function readSchedulerAlive(db: Executor): Promise<boolean> {
  const result = await sql<{ alive: boolean }>`
    select exists (
      select from pg_locks
      where locktype = 'advisory' and granted and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())
        and classid::bigint = sync.schedule_lock_class() and objid::bigint = 0
    ) as alive`.execute(db);
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
  };
}
