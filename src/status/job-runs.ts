// The history of jobs, read from batches: the last success and attempt of each and its failures since, the
// last backup, and incidents that later runs made up for.
import { sql } from 'kysely';
import type { Executor, RunStatus } from '../db/database.ts';
import { hasLeft } from './status-report.ts';

/** The note of a backup, stored as `backup` in the result of a batch. */
export interface BackupNote {
  /** Absolute; null: it went to stdout. */
  readonly file: string | null;
  readonly bytes: number | null;
  readonly made_at: string;
}

/** Notes a backup made by hand as a finished batch, which counts for no schedule. */
export async function noteBackup(db: Executor, note: BackupNote): Promise<void> {
  await db
    .insertInto('sync.batch')
    .values({
      job: 'backup',
      status: 'complete',
      selection: JSON.stringify({ is_aside: true }),
      summary: JSON.stringify({ result: { backup: note } }),
      started_at: new Date(note.made_at),
      finished_at: sql`now()`,
    })
    .execute();
}

/** Reads the note of the last backup, by hand or by a job; null: none is known. */
export async function readLastBackup(db: Executor): Promise<BackupNote | null> {
  const { rows } = await sql<{ backup: BackupNote }>`
    select summary -> 'result' -> 'backup' as backup
    from sync.batch
    where status = 'complete' and summary -> 'result' ? 'backup'
    order by id desc limit 1`.execute(db);
  return rows[0]?.backup ?? null;
}

const done = sql`('complete', 'unavailable')`;

/** SQL over r (run_date, account) and b (streams, client_ids): true if the run brought all that it was to. */
const nothingLacks = sql`
  select from (
    select s.stream, s.client_id from sync.slice as s
    where s.account = r.account and s.run_date = r.run_date and s.stream = any (b.streams)
    union
    select n.stream, n.client_id from sync.newest as n
    where n.account = r.account and n.run_date < r.run_date and n.stream = any (b.streams) and not ${hasLeft}
  ) as e
  where b.client_ids is null or b.client_ids ? e.client_id
  having count(*) > 0 and bool_and(exists (
    select from sync.slice as d
    where d.account = r.account and d.stream = e.stream and d.client_id = e.client_id and d.run_date >= r.run_date
      and d.status in ${done}))`;

/**
 * Reads causes of lasting incidents, such as `run:daily-snapshot` and `key:acme`, that ended because something other
 * than the job's next batch brought the data: another job, a sync by hand, a newer run date.
 */
export async function readMadeUp(db: Executor): Promise<ReadonlySet<string>> {
  const found = await sql<{ cause: string }>`
    select t.cause from sync.incident as t
    cross join lateral (
      select b.id, b.status, b.finished_at, nullif(b.selection -> 'client_ids', 'null') as client_ids,
        array(select jsonb_path_query(b.selection, '$.streams[*]') #>> '{}') as streams,
        array(select jsonb_path_query(b.selection, '$.accounts[*]') #>> '{}') as accounts
      from sync.batch as b
      where b.job = substr(t.cause, 5) and b.status in ('complete', 'failed', 'deferred') and ${counts}
      order by b.id desc limit 1
    ) as b
    where t.over_at is null and t.kind in ('run_failed', 'run_incomplete') and t.cause like 'run:%'
      and case b.status when 'complete' then b.finished_at > t.since else b.accounts <> '{}' and not exists (
        select from unnest(b.accounts) as a (account)
        left join lateral (
          select w.account, w.run_date, w.status from sync.run as w
          where w.batch_id = b.id and w.account = a.account order by w.id desc limit 1
        ) as r on true
        where r.status is distinct from 'complete' and not exists (${nothingLacks})) end
    union all
    select t.cause from sync.incident as t
    where t.over_at is null and t.kind = 'key_refused' and exists (
      select from sync.run as r
      where r.account = t.account and r.started_at > t.since and (r.summary ->> 'requests')::integer > 0
        and coalesce(r.summary ->> 'ended_status', '') not in ('401', '403'))`.execute(db);
  return new Set(found.rows.map(({ cause }) => cause));
}

export interface JobAttempt {
  readonly id: number;
  /** `stopped` also if its process died. */
  readonly status: RunStatus;
  readonly startedAt: Date;
  readonly finishedAt: Date | undefined;
  readonly dueAt: Date | undefined;
  /** When deferred slices can go on. */
  readonly deferredUntil: Date | undefined;
  /** True if the queue holds jobs of it: accounts go on by themselves. */
  readonly continues: boolean;
  readonly cancelled: boolean;
}

export interface JobHistory {
  /** The schedule is fulfilled up to here: the start of the newest success, or the moment it was due. */
  readonly answeredUntil: Date | undefined;
  readonly lastSuccess: JobAttempt | undefined;
  readonly lastAttempt: JobAttempt | undefined;
  /** First time that the scheduler saw it, for a job that never ran. */
  readonly begunAt?: Date;
  /** Attempts of the last 24 hours that failed since the last success. */
  readonly failures: number;
}

interface HistoryRow {
  name: string;
  answered_until: Date | null;
  known_since: Date | null;
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

/** SQL over b (sync.batch): leaves out batches by hand for another run date: no schedule counts them. */
const counts = sql`b.selection -> 'is_aside' is null`;

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
        select from sync.queued_jobs() j where split_part(j.key, ':', 1) = b.id::text),
      'deferred_until', (select min(r.summary ->> 'deferred_until') from sync.run r where r.batch_id = b.id))`;
  const result = await sql<HistoryRow>`
    select j.name, s.answered_until, n.known_since, s.success, a.attempt,
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
    left join sync.known_job n on n.job = j.name`.execute(db);
  return new Map(
    result.rows.map((row) => [
      row.name,
      {
        answeredUntil: row.answered_until ?? undefined,
        ...(row.known_since !== null && { begunAt: row.known_since }),
        lastSuccess: attemptOf(row.success),
        lastAttempt: attemptOf(row.attempt),
        failures: row.failures,
      },
    ]),
  );
}

/** Notes new jobs as begun now; known jobs stay as they are. */
export async function noteKnownJobs(db: Executor, names: readonly string[]): Promise<void> {
  await sql`
    insert into sync.known_job (job)
    select name from unnest(${[...names]}::text[]) as j (name)
    where not exists (select from sync.batch as b where b.job = j.name and ${counts})
    on conflict (job) do nothing`.execute(db);
}

/** Tells whether some process holds the lock of the scheduler. */
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
