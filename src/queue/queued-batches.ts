// Batches of the queue: what a worker reads of one, which of them are over, and how one ends.
import { sql } from 'kysely';
import type { Executor, RunStatus } from '../db/database.ts';
import { type QueuePayload, waits } from './enqueue.ts';

export interface QueuedBatch {
  readonly id: number;
  readonly job: string;
  readonly selection: unknown;
  readonly dueAt: Date | undefined;
  readonly startedAt: Date;
}

/** A batch as the worker sees it that took one of its jobs. */
export interface TakenBatch extends QueuedBatch {
  /** Workers in a row that died with the job, or failed it for this moment. */
  readonly deaths: number;
}

/** Undefined: it was cancelled, or this attempt of the account has ended before. */
export async function readQueuedBatch(
  db: Executor,
  queueJobId: string,
  { account, attempt, batch }: QueuePayload,
): Promise<TakenBatch | undefined> {
  const found = await sql<Omit<TakenBatch, 'id' | 'dueAt'> & { readonly dueAt: Date | null }>`
    -- Settled without this account: it goes on now.
    with reopened as (
      update sync.batch set settled_at = null where id = ${batch} and settled_at is not null and status <> 'stopped'
    )
    select b.job, b.selection, b.due_at as "dueAt", b.started_at as "startedAt", greatest(
      (select count(*) from sync.job_death d where d.job_id = ${queueJobId}::bigint), (
        select (coalesce(r.summary, p.summary) ->> 'deaths')::integer
        from sync.batch p left join sync.run r on r.batch_id = p.id and r.account = ${account}
        where p.job = b.job and p.is_queued and p.due_at is not distinct from b.due_at and p.id < b.id
          and (${account} = '' and p.status <> 'running' or r.id is not null)
        order by p.id desc, r.id desc limit 1))::integer as deaths
    from sync.batch b
    where b.id = ${batch} and b.is_queued and b.status <> 'stopped' and (${account} <> '' or b.status = 'running')
      and not exists (
        select from sync.run r where r.batch_id = b.id and r.account = ${account} and r.attempt = ${attempt}
          and r.status in ('complete', 'failed', 'deferred'))`.execute(db);
  const [row] = found.rows;
  return row === undefined ? undefined : { ...row, id: batch, dueAt: row.dueAt ?? undefined };
}

export interface RunPiece {
  readonly status: RunStatus;
  readonly summary: unknown;
}

export interface EndedBatch extends QueuedBatch {
  /** Set by the worker for a job that syncs nothing; else `running`. */
  readonly status: RunStatus;
  readonly summary: unknown;
  /** Runs of each account, the oldest first, in the order of the selection. */
  readonly runs: readonly { readonly account: string; readonly pieces: readonly RunPiece[] }[];
  readonly notStarted: readonly string[];
  readonly newestRun: number;
}

interface EndedRow {
  id: number;
  job: string;
  status: RunStatus;
  selection: unknown;
  summary: unknown;
  due_at: Date | null;
  started_at: Date;
  runs: EndedBatch['runs'] | null;
  accounts_not_started: string[] | null;
  newest_run: number;
}

/** Unsettled batches whose queue jobs are done, or wait for a renewal of the budget. */
export async function readEndedBatches(db: Executor): Promise<readonly EndedBatch[]> {
  const found = await sql<EndedRow>`
    select b.id, b.job, b.status, b.selection, b.summary, b.due_at, b.started_at, r.runs, r.accounts_not_started,
      coalesce((select max(w.id) from sync.run w where w.batch_id = b.id), 0) as newest_run
    from sync.batch b
    cross join lateral (
      select
        jsonb_agg(jsonb_build_object('account', s.account, 'pieces', n.pieces) order by s.place)
          filter (where n.pieces is not null) as runs,
        array_agg(s.account order by s.place) filter (where n.pieces is null) as accounts_not_started
      from jsonb_array_elements_text(b.selection -> 'accounts') with ordinality as s (account, place)
      left join lateral (
        select jsonb_agg(jsonb_build_object('status', r.status, 'summary', r.summary) order by r.id) as pieces
        from sync.run r where r.batch_id = b.id and r.account = s.account
      ) n on true
    ) r
    where b.is_queued and b.settled_at is null
      and not exists (select from sync.run w where w.batch_id = b.id and w.status = 'running')
      and not exists (
        select from airank_jobs.jobs j
        where split_part(j.key, ':', 1) = b.id::text
          -- Others wait for a moment only: their worker died, or they were cut.
          and (j.locked_at is not null or j.run_at <= now() or ${waits} or 'deferred' is distinct from (
            select w.status from sync.run w where w.batch_id = b.id and w.account = split_part(j.key, ':', 3)
            order by w.id desc limit 1)))
    order by b.id`.execute(db);
  return found.rows.map((row) => ({
    id: row.id,
    job: row.job,
    status: row.status,
    selection: row.selection,
    summary: row.summary,
    dueAt: row.due_at ?? undefined,
    startedAt: row.started_at,
    runs: row.runs ?? [],
    notStarted: row.accounts_not_started ?? [],
    newestRun: row.newest_run,
  }));
}

export async function hasOpenBatches(db: Executor): Promise<boolean> {
  const row = await db
    .selectFrom('sync.batch')
    .select('id')
    .where('is_queued', '=', true)
    .where('settled_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** True if account runs of the job wait or work. Those of a cancelled batch do not count, whoever settles it later. */
export async function isQueued(db: Executor, job: string): Promise<boolean> {
  const row = await db
    .selectFrom('sync.batch')
    .select('id')
    .where('is_queued', '=', true)
    .where('settled_at', 'is', null)
    .where('status', '<>', 'stopped')
    .where('job', '=', job)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** False: an account has gone on since it was read, or somebody else has settled it. */
export async function settleBatch(
  db: Executor,
  { id, newestRun }: Pick<EndedBatch, 'id' | 'newestRun'>,
  end: { readonly status: RunStatus; readonly summary: unknown },
): Promise<boolean> {
  const settled = await db
    .updateTable('sync.batch')
    .set({
      status: end.status,
      summary: JSON.stringify(end.summary),
      finished_at: sql`now()`,
      settled_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('settled_at', 'is', null)
    .where(
      sql<boolean>`not exists (
        select from sync.run r where r.batch_id = ${id} and (r.status = 'running' or r.id > ${newestRun}))`,
    )
    .where(
      sql<boolean>`not exists (
        select from airank_jobs.jobs j where split_part(j.key, ':', 1) = ${String(id)} and j.locked_at is not null)`,
    )
    .executeTakeFirst();
  return settled.numUpdatedRows > 0n;
}

/** Ends a job that is not about accounts; the scheduler settles its batch. A cancelled one does not fail. */
export async function endQueuedWork(
  db: Executor,
  id: number,
  end: { readonly status: RunStatus; readonly summary: unknown },
): Promise<void> {
  await db
    .updateTable('sync.batch')
    .set({
      status: sql`case when status = 'stopped' and ${end.status}::text = 'failed' then status else ${end.status}::text end`,
      summary: JSON.stringify(end.summary),
      finished_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Takes the waiting jobs of a batch out of the queue; what works ends by itself. Returns the accounts that are left
 * out, or undefined where there is no such open batch.
 */
export async function cancelBatch(db: Executor, id: number): Promise<readonly string[] | undefined> {
  return await db.transaction().execute(async (tx) => {
    const open = await tx
      .updateTable('sync.batch')
      .set({ status: 'stopped', finished_at: sql`now()` })
      .where('id', '=', id)
      .where('is_queued', '=', true)
      .where((eb) =>
        eb.or([
          eb('settled_at', 'is', null),
          sql<boolean>`exists (select from sync.queued_jobs() j where split_part(j.key, ':', 1) = sync.batch.id::text)`,
        ]),
      )
      .executeTakeFirst();
    if (open.numUpdatedRows === 0n) return undefined;
    const removed = await sql<{ account: string }>`
      select split_part(j.key, ':', 3) as account, airank_jobs.remove_job(j.key)
      from airank_jobs.jobs j
      where split_part(j.key, ':', 1) = ${String(id)} and j.locked_at is null
      order by 1`.execute(tx);
    return removed.rows.map(({ account }) => account);
  });
}
