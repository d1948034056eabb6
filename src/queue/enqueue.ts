// Begins a batch of the queue: one due moment of a job, with a queue job for each of its accounts, or one for all of
// it. Queue jobs have keys as BATCH:ATTEMPT:ACCOUNT, so that a batch finds its own.
import { sql } from 'kysely';
import { hashText } from '../core/hash-text.ts';
import type { Executor } from '../db/database.ts';

/** Kinds in job files, in the queue and in `jobs worker --kinds`. All but the first are `OtherJob`s. */
export const jobKinds = ['sync', 'report', 'dashboard', 'push-logs', 'backup'] as const;

export type JobKind = (typeof jobKinds)[number];

export interface QueuePayload {
  readonly batch: number;
  /** '': not about one account. */
  readonly account: string;
  /** 1: the first; the next one goes on after a cut, or when the budget renews. */
  readonly attempt: number;
  /** The engine takes the lowest first. */
  readonly priority: number;
}

export interface NewBatch {
  readonly job: string;
  readonly kind: JobKind;
  /** The job as data, and what it selects; workers need no job files. */
  readonly selection: Readonly<Record<string, unknown>>;
  /** Undefined: not about accounts. */
  readonly accounts: readonly string[] | undefined;
  readonly dueAt: Date | undefined;
  readonly priority: Priority;
  /** The starts of the accounts are spread over this time. */
  readonly spreadMs: number;
}

type Priority = 'high' | 'normal' | 'low';

const priorities: Readonly<Record<Priority, number>> = { high: -10, normal: 0, low: 10 };

/** More than any job is tried: the runs decide here what becomes of it, not the library. */
const mostTries = 32_767;

/**
 * SQL: a queue job, from columns batch, account, attempt, run_at and priority of what is selected from. It has no queue
 * name: the library keeps a name locked for four hours after its job is gone.
 */
const specOf = (kind: JobKind, hasToWait = false) => sql`(
  ${kind}, json_build_object('batch', batch, 'account', account, 'attempt', attempt, 'priority', priority), null, run_at,
  ${mostTries}::integer, batch || ':' || attempt || ':' || account, priority,
  case when ${hasToWait} then array['waits'] end)::airank_jobs.job_spec`;

/** SQL for a job that waits until its account, or its kind, is free. */
export const waits = sql`(j.flags ? 'waits') is true`;

/** Time at which a waiting job looks again for its turn, unless it is called before. */
const inAWhile = sql`now() + interval '30 seconds'`;

/** Lock of the worker on the account, or on a job of a kind that is about no account. */
export function turnOf(kind: JobKind, account: string) {
  return { kind: 'turn', id: hashText(account === '' ? `kind ${kind}` : `account ${account}`) | 0 } as const;
}

/** Places of accounts in a window of time: 0 (included) to 1, the same every day. */
const placeOf = sql`(hashtextextended(account, 0) & 2147483647) / 2147483648.0`;

/**
 * Stores the batch and its queue jobs in one transaction. Replaces waiting jobs of an older moment of the same job;
 * for the same moment takes only accounts that are neither published nor waiting. Undefined: none is left, or another
 * scheduler was faster.
 */
export async function enqueueBatch(db: Executor, batch: NewBatch): Promise<number | undefined> {
  const { job, kind, dueAt, accounts } = batch;
  return await db.transaction().execute(async (tx) => {
    // Comes before the look at what is left: any batch made from here on has this one's number.
    const tries = await countTries(tx, job, dueAt);
    await removeOlder(tx, job, dueAt);
    const taken = accounts === undefined ? undefined : await withoutDone(tx, job, dueAt, accounts);
    if (taken?.length === 0 && accounts?.length !== 0) return undefined;
    if (accounts === undefined && (await isAnswered(tx, job, dueAt))) return undefined;
    const priority = priorities[batch.priority];
    const selection = JSON.stringify({
      ...batch.selection,
      priority,
      ...(taken !== undefined && { accounts: taken }),
    });
    const inserted = await tx
      .insertInto('sync.batch')
      .values({ job, selection, due_at: dueAt ?? null, is_queued: true, due_attempt: tries + 1 })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted === undefined) return undefined;
    const { id } = inserted;
    const names = taken ?? [''];
    if (names.length > 0) {
      await sql`
        select airank_jobs.add_jobs(array_agg(${specOf(kind)}))
        from (
          select ${id}::bigint as batch, account, 1 as attempt, ${priority}::integer as priority,
            now() + ${placeOf} * make_interval(secs => ${batch.spreadMs / 1000}::float8) as run_at
          from unnest(${names}::text[]) as s (account)
        ) as s`.execute(tx);
    }
    return id;
  });
}

/**
 * Goes on with an account of a batch when the budget renews, or after jobs of a higher priority. Belongs in the
 * transaction that ends its run.
 */
export async function enqueueNext(
  tx: Executor,
  payload: QueuePayload,
  { at, spreadMs }: { readonly at: Date | undefined; readonly spreadMs: number },
): Promise<void> {
  const { account, attempt, batch, priority } = payload;
  await sql`
    select airank_jobs.add_jobs(array[${specOf('sync', at === undefined)}])
    from (
      select ${batch}::bigint as batch, account, ${attempt + 1}::integer as attempt, ${priority}::integer as priority,
        coalesce(${at ?? null}::timestamptz + ${placeOf} * make_interval(secs => ${spreadMs / 1000}::float8), ${inAWhile}) as run_at
      from (values (${account}::text)) as a (account)
      -- Cancelled meanwhile: nothing goes on.
      where exists (select from sync.batch b where b.id = ${batch} and b.status <> 'stopped')
    ) as s`.execute(tx);
}

/** Puts back a job whose turn another worker has, for half a minute or until that ends. Counts no try. */
export async function putBack(
  db: Executor,
  kind: JobKind,
  id: string,
  { account, attempt, batch, priority }: QueuePayload,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // A job that is locked cannot be rescheduled: another one takes its key.
    const { rows } = await sql<{ id: number }>`
      select (airank_jobs.add_jobs(array[${specOf(kind, true)}])).id
      from (
        select b.id as batch, ${account}::text as account, ${attempt}::integer as attempt, ${priority}::integer as priority,
          ${inAWhile} as run_at
        from sync.batch b where b.id = ${batch} and b.status <> 'stopped'
      ) as s`.execute(tx);
    for (const next of rows)
      await sql`update sync.job_death set job_id = ${next.id} where job_id = ${id}::bigint`.execute(tx);
  });
}

/** Lets jobs begin that were put back before; of several priorities the highest, or they would race for the turn. */
export async function callWaiting(db: Executor, kind: JobKind, account: string): Promise<void> {
  await sql`
    with waiting as (
      select j.id, j.priority from airank_jobs.jobs j
      where ${waits} and j.locked_at is null and split_part(j.key, ':', 3) = ${account}
        and (${account} <> '' or j.task_identifier = ${kind})
    )
    select airank_jobs.reschedule_jobs(array_agg(w.id), run_at => now())
    from waiting w where w.priority = (select min(priority) from waiting)
    having count(*) > 0`.execute(db);
}

/** Takes up accounts that lost their queue job, unless a newer moment replaced it. Returns how many. */
export async function enqueueLost(db: Executor): Promise<number> {
  const added = await sql`
    with lost as (
      select b.id as batch, s.account, coalesce(r.attempt, 1) as attempt, now() as run_at,
        (b.selection ->> 'priority')::integer as priority
      from sync.batch b
      cross join lateral jsonb_array_elements_text(b.selection -> 'accounts') as s (account)
      left join lateral (
        select r.status, r.attempt from sync.run r where r.batch_id = b.id and r.account = s.account
        order by r.id desc limit 1
      ) r on true
      where b.is_queued and b.settled_at is null and b.status <> 'stopped' and (r.status is null or r.status = 'stopped')
        and not exists (
          select from airank_jobs.jobs j
          where split_part(j.key, ':', 1) = b.id::text and split_part(j.key, ':', 3) = s.account)
        and not exists (
          select from sync.batch n
          where n.is_queued and n.job = b.job and n.id > b.id and n.due_at is distinct from b.due_at)
    )
    select airank_jobs.add_jobs(array[${specOf('sync')}]) from lost`.execute(db);
  return added.rows.length;
}

/** True if a job of a higher priority waits for the account's run to end, or its batch was cancelled. */
export async function mustYield(db: Executor, { account, batch, priority }: QueuePayload): Promise<boolean> {
  const found = await sql<{ waits: boolean }>`
    select exists (
      select from airank_jobs.jobs j
      where split_part(j.key, ':', 3) = ${account} and j.locked_at is null and (j.run_at <= now() or ${waits})
        and j.priority < ${priority}::integer
    ) or exists (select from sync.batch b where b.id = ${batch} and b.status = 'stopped') as waits`.execute(
    db,
  );
  return found.rows[0]?.waits === true;
}

async function countTries(tx: Executor, job: string, dueAt: Date | undefined): Promise<number> {
  const found = await sql<{ tries: number }>`
    select coalesce(max(due_attempt), 0) as tries from sync.batch
    where job = ${job} and due_at is not distinct from ${dueAt ?? null}::timestamptz`.execute(tx);
  return found.rows[0]?.tries ?? 0;
}

/** True if this moment of a job that is not about accounts waits, is worked on, is done, or was cancelled. */
async function isAnswered(tx: Executor, job: string, dueAt: Date | undefined): Promise<boolean> {
  const found = await sql`
    select from sync.batch b
    where b.job = ${job} and b.is_queued and b.due_at is not distinct from ${dueAt ?? null}::timestamptz
      and (b.settled_at is null or b.status in ('complete', 'stopped'))
    limit 1`.execute(tx);
  return found.rows.length > 0;
}

async function removeOlder(tx: Executor, job: string, dueAt: Date | undefined): Promise<void> {
  await sql`
    select airank_jobs.remove_job(j.key)
    from airank_jobs.jobs j
    join sync.batch b on b.id::text = split_part(j.key, ':', 1)
    where b.job = ${job} and b.is_queued and j.locked_at is null and b.due_at is distinct from ${dueAt ?? null}::timestamptz`.execute(
    tx,
  );
}

async function withoutDone(
  tx: Executor,
  job: string,
  dueAt: Date | undefined,
  accounts: readonly string[],
): Promise<readonly string[]> {
  if (dueAt === undefined) return accounts;
  const left = await sql<{ account: string }>`
    select a.account from unnest(${[...accounts]}::text[]) with ordinality as a (account, place)
    where not exists (
      select from sync.batch b
      left join lateral (
        select r.status from sync.run r where r.batch_id = b.id and r.account = a.account order by r.id desc limit 1
      ) r on true
      where b.job = ${job} and b.is_queued and b.due_at = ${dueAt}::timestamptz
        and (r.status = 'complete' or exists (
          select from airank_jobs.jobs j
          where split_part(j.key, ':', 1) = b.id::text and split_part(j.key, ':', 3) = a.account))
    ) order by a.place`.execute(tx);
  return left.rows.map(({ account }) => account);
}
