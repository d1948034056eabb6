// Planned writes, writes on their way, and their outcomes (sync.write). Each step is committed before the next begins.
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { Config } from '../../config/config.ts';
import { writeLimits } from '../../core/budget.ts';
import { hashText } from '../../core/hash-text.ts';
import type { Executor } from '../../db/database.ts';
import { type SessionLock, tryLock } from '../../db/session-lock.ts';
import { dayRenewal } from '../../store/budget/ledger.ts';

/** Each kind has its own limit at the service. */
export type WriteKind = 'logs' | 'questions' | 'measurement';

export const writeKinds: readonly WriteKind[] = ['logs', 'questions', 'measurement'];

type LimitSettings = Pick<Config, 'dayRenewsAtMinutes' | 'learnDayRenewal'>;

/**
 * Returns the two arguments of `sync.write_opens_at` and `sync.start_write` that give the limit: its number and the
 * time at which its day renews.
 */
function limitOf(account: string, kind: WriteKind, config: LimitSettings): RawBuilder<unknown> {
  const renews = kind === 'logs' ? sql`null::interval` : dayRenewal(account, config);
  return sql`${writeLimits[kind]}::integer, ${renews}`;
}

/** The session that holds the lock of `holdWrites`; for messages to those who wait. */
export interface WritesHolder {
  readonly pid: number;
  /** Undefined if it is on the database's own machine, or this role may not see it. */
  readonly address: string | undefined;
  readonly since: Date | undefined;
}

export async function writesHolder(
  db: Executor,
  account: string,
  kind: WriteKind,
): Promise<WritesHolder | undefined> {
  const { rows } = await sql<{ pid: number; address: string | null; since: Date | null }>`
    select l.pid, host(a.client_addr) as address, a.backend_start as since
    from pg_locks l left join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted
      and l.database = (select d.oid from pg_database d where d.datname = current_database())
      and l.classid = sync.writes_lock_class()::oid and l.objid = ${hashText(`${account} ${kind}`)}::bigint::oid
    limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  return { pid: row.pid, address: row.address ?? undefined, since: row.since ?? undefined };
}

export type WriteStatus = 'planned' | 'sending' | 'accepted' | 'refused' | 'unknown' | 'empty';

/** Statuses of writes not sent, or not known to be taken: they may be sent again, or left. */
export const openStatuses = ['planned', 'refused', 'unknown'] as const satisfies readonly WriteStatus[];
export type OpenStatus = (typeof openStatuses)[number];

/** The outcome of an attempt. `planned`: it never reached the service. */
export interface WriteOutcome {
  readonly status: Exclude<WriteStatus, 'sending' | 'empty'>;
  readonly httpStatus: number | undefined;
  /** Beginning of the answer, or what went wrong; without secrets. */
  readonly answer: string | undefined;
}

type Started =
  | { readonly kind: 'started'; readonly attempt: number }
  /** The limit of its kind is used up. */
  | { readonly kind: 'wait'; readonly until: Date }
  /** Somebody else sent it, or it is settled. */
  | { readonly kind: 'gone' };

/** Undefined while another process sends writes of this kind for the account. */
export async function holdWrites(
  pool: pg.Pool,
  account: string,
  kind: WriteKind,
): Promise<SessionLock | undefined> {
  return await tryLock(pool, { kind: 'writes', id: hashText(`${account} ${kind}`) | 0 });
}

/**
 * Marks writes that are still `sending` as unknown: the caller holds the lock, so their process is gone.
 * @returns how many
 */
export async function giveUpSending(db: Executor, account: string, kind: WriteKind): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('sync.write')
    .set({
      status: 'unknown',
      ended_at: sql`clock_timestamp()`,
      answer: 'the process that sent it ended before the answer came',
    })
    .where('account', '=', account)
    .where('kind', '=', kind)
    .where('status', '=', 'sending')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** True if the outcome of the newest write that was sent is unknown. */
export async function endedUnknown(db: Executor, account: string, kind: WriteKind): Promise<boolean> {
  const newest = await db
    .selectFrom('sync.write')
    .select('status')
    .where('account', '=', account)
    .where('kind', '=', kind)
    .where('status', 'in', ['accepted', 'refused', 'unknown'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.status === 'unknown';
}

/** Returns the time at which this many more may be sent; undefined if now. */
export async function writeOpensAt(
  db: Executor,
  config: Config,
  { account, kind, takes }: { account: string; kind: WriteKind; takes: number },
): Promise<Date | undefined> {
  const { rows } = await sql<{ opens_at: Date | null }>`
    select sync.write_opens_at(${account}, ${kind}, ${takes}::integer, ${limitOf(account, kind, config)}) as opens_at`.execute(
    db,
  );
  return rows[0]?.opens_at ?? undefined;
}

/** Returns how many more may be sent now; 0 if the limit is used up, or closed. */
export async function remainingInLimit(
  db: Executor,
  config: Config,
  { account, kind }: { account: string; kind: WriteKind },
): Promise<number> {
  const { rows } = await sql<{ room: number }>`
    select greatest(l.most - u.used, 0)::integer as room
    from (values (${limitOf(account, kind, config)})) as l (most, renews)
    cross join lateral sync.writes_used(${account}, ${kind}, l.renews) as u
    where not exists (
      select from sync.budget_write_closed c
      where c.account = ${account} and c.kind = ${kind} and c.until > clock_timestamp()
    )`.execute(db);
  return rows[0]?.room ?? 0;
}

/** Marks the write as sending and takes its place in the limit of its kind, in one transaction. */
export async function startWrite(
  db: Executor,
  config: Config,
  { account, kind, id }: { account: string; kind: WriteKind; id: number },
): Promise<Started> {
  const { rows } = await sql<{ attempt: number | null; opens_at: Date | null }>`
    select attempt, opens_at from sync.start_write(${account}, ${id}::bigint, ${limitOf(account, kind, config)})`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) return { kind: 'gone' };
  if (row.opens_at !== null) return { kind: 'wait', until: row.opens_at };
  return { kind: 'started', attempt: row.attempt ?? 0 };
}

/** Notes an outcome; false if a later attempt has begun, so that this one no longer counts. */
export async function settleWrite(
  db: Executor,
  { account, id, attempt }: { account: string; id: number; attempt: number },
  { status, httpStatus, answer }: WriteOutcome,
): Promise<boolean> {
  const text = answer?.replaceAll('\u0000', '\ufffd') ?? null;
  const { rows } = await sql<{ settled: boolean }>`
    select sync.settle_write(${account}, ${id}::bigint, ${attempt}::integer, ${status}, ${httpStatus ?? null}::integer, ${text}) as settled`.execute(
    db,
  );
  return rows[0]?.settled === true;
}

/** Closes a kind of write for as long as the service refuses it; other kinds and reading go on. */
export async function closeKind(
  db: Executor,
  { account, kind, forMs, reason }: { account: string; kind: WriteKind; forMs: number; reason: string },
): Promise<void> {
  await sql`
    insert into sync.budget_write_closed as c (account, kind, until, reason)
    values (${account}, ${kind}, clock_timestamp() + make_interval(secs => ${forMs / 1000}::float8), ${reason})
    on conflict (account, kind) do update set
      until = greatest(c.until, excluded.until), reason = excluded.reason, noted_at = now()`.execute(db);
}

/**
 * Leaves a write as it is, for good. Only the hashes of its questions stay; they count as sent, since they may have
 * arrived. Visits in lines of unknown outcome count, as they took place; visits in refused lines do not.
 * @returns false if its status does not allow that, such as accepted, or it was left already
 */
export async function skipWrite(
  db: Executor,
  { account, id }: { account: string; id: number },
  statuses: readonly OpenStatus[] = openStatuses,
): Promise<boolean> {
  const { rows } = await sql`
    with chosen as (
      select account, id, status, sent_at, visits from sync.write
      where account = ${account} and id = ${id}::bigint and status = any(${statuses}::text[]) and skipped_at is null
      for update
    ), skipped as (
      update sync.write as w set skipped_at = clock_timestamp(), visits = null from chosen as c
      where w.account = c.account and w.id = c.id
    ), forgotten as (
      update sync.question as q set text = null, sent_at = coalesce(w.sent_at, q.sent_at) from chosen as w
      where q.account = w.account and q.write_id = w.id
    )
    select case when status = 'unknown' then sync.count_visits(account, visits) end from chosen`.execute(db);
  return rows.length > 0;
}
