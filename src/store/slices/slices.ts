// Slices: claimed by one live run at a time, ended with a status.
import { sql } from 'kysely';
import { SkippableError } from '../../core/errors.ts';
import type { RunDate } from '../../core/run-date.ts';
import { ahead, type Executor, prepared, type SliceStatus, type WalkKind } from '../../db/database.ts';
import { sharedAccountLock } from '../../db/lock-keys.ts';

/** A slice planned by a run; it is claimed and written under the number of that run. */
export interface PlannedSlice extends VersionScope, Claim {
  readonly status: SliceStatus;
  readonly published: boolean;
}

/** Creates slices, unless the run was given up or the client forgotten. Returns them as they are. */
export async function planSlices(
  db: Executor,
  runDate: RunDate,
  scopes: readonly Scope[],
  runId: number,
): Promise<PlannedSlice[]> {
  const input = JSON.stringify(
    scopes.map(({ stream, account, clientId }) => ({ stream, account, clientId })),
  );
  const read = async (): Promise<PlannedSlice[]> => {
    const { rows } = await sql<Omit<PlannedSlice, 'runDate' | 'runId'>>`
      select id as "sliceId", stream, account, client_id as "clientId", status, completed_at is not null as published
      from sync.slice
      join jsonb_to_recordset(${input}::jsonb) as s (stream text, account text, "clientId" text) using (stream, account)
      where client_id = s."clientId" and run_date = ${runDate}::date`.execute(db);
    return rows.map((slice) => ({ ...slice, runDate, runId }));
  };
  const there = scopes.length === 0 ? [] : await read();
  if (there.length === scopes.length) return there;
  await db.transaction().execute(async (tx) => {
    // A statement of its own, so that the next one sees what was forgotten meanwhile.
    for (const account of new Set(scopes.map((scope) => scope.account)))
      await sql`select ${sharedAccountLock(account)} ${ahead}`.execute(tx);
    await sql`
      insert into sync.slice (stream, account, client_id, run_date)
      select stream, account, "clientId", ${runDate}::date
      from jsonb_to_recordset(${input}::jsonb) as s (stream text, account text, "clientId" text)
      where sync.run_may_write(s.account, ${runId}) and not sync.is_forgotten(account, "clientId")
      on conflict (account, stream, client_id, run_date) do nothing ${ahead}`.execute(tx);
  });
  return await read();
}

/**
 * Finds slices that a run reported as published or without data but the database no longer has, because a server took
 * over that lacked them. A forgotten client rightly has none.
 */
export async function findTakenBack(
  db: Executor,
  runDate: RunDate,
  reported: readonly (Scope & { readonly end: 'complete' | 'unavailable' })[],
): Promise<readonly Scope[]> {
  const { rows } = await sql<Scope>`
    select r.stream, r.account, r."clientId"
    from jsonb_to_recordset(${JSON.stringify(reported)}::jsonb) as r (stream text, account text, "clientId" text, "end" text)
    left join sync.slice s
      on s.account = r.account and s.stream = r.stream and s.client_id = r."clientId" and s.run_date = ${runDate}::date
    where (case r."end" when 'complete' then s.completed_at else s.walked_at end) is null
      and not sync.is_forgotten(r.account, r."clientId")`.execute(db);
  return rows;
}

/** Subject of a slice. `clientId` is '' for the account itself. */
export interface Scope {
  readonly stream: string;
  readonly account: string;
  readonly clientId: string;
}

export interface VersionScope extends Scope {
  readonly runDate: string;
}

/** A slice's number is unique only within its account. */
export interface SliceKey {
  readonly account: string;
  readonly sliceId: number;
}

/** A slice taken by a run. Every write to the slice is made under its claim. */
export interface Claim extends SliceKey {
  readonly runId: number;
}

/** SQL for the pages `p` of a slice. */
export const pagesOf = ({ account, sliceId }: SliceKey) =>
  sql<boolean>`p.account = ${account} and p.slice_id = ${sliceId}`;

export const rowOf = ({ account, sliceId }: SliceKey) =>
  sql<boolean>`s.account = ${account} and s.id = ${sliceId}`;

/** SQL that is true for the rows of a scope. */
export const ofScope = ({ stream, account, clientId }: Scope) =>
  sql<boolean>`stream = ${stream} and account = ${account} and client_id = ${clientId}`;

/**
 * SQL that is true if row `s` is still this slice. After a failover to a server that lacked some rows, its number may
 * belong to another slice.
 */
const isSame = ({ stream, clientId, runDate }: VersionScope) =>
  sql<boolean>`s.stream = ${stream} and s.client_id = ${clientId} and s.run_date = ${runDate}::date`;

/** SQL that is true for a row `s` that is unpublished, or failed to publish, and that no live run walks. */
const isFree = sql<boolean>`(
  s.status in ('planned', 'deferred', 'failed')
  or (s.status = 'walking' and not coalesce(sync.run_is_alive(s.account, s.run_id), false))
)`;

/** SQL that is true if the run was not given up. Writes under a claim need no such check: the slice was taken back. */
const mayWrite = ({ account, runId }: Omit<Claim, 'sliceId'>) =>
  sql<boolean>`sync.run_may_write(${account}, ${runId})`;

/**
 * Another run has taken the slice, because the connection that showed this run alive was lost. No more pages are
 * stored, as pages of two walks must never be published together.
 */
export class LostSliceError extends SkippableError {
  constructor() {
    super('Another run has taken the slice over; this one leaves it');
  }
}

/**
 * Takes a slice for a run; true if the run has it now, or had it before the connection was lost. A dead run's slice is
 * free. One that is complete, that never had data, or that another live run walks, is not.
 * @param again takes it even if complete or unavailable, and drops the pages of an earlier attempt
 */
export async function claimSlice(
  db: Executor,
  claim: Claim & VersionScope & { walk: WalkKind; again: boolean },
): Promise<boolean> {
  const taken = await sql`${prepared}
    with taken as (update sync.slice s set
      status = 'walking', run_id = ${claim.runId}, walk = ${claim.walk}, error = null, updated_at = clock_timestamp(),
      started_at = case when c.resumes then started_at else clock_timestamp() end,
      pages = case when c.resumes then pages else 0 end,
      records = case when c.resumes then records else 0 end,
      requests = case when c.resumes then requests else 0 end
    from (
      select not ${claim.again}::boolean and exists (select from sync.page p where ${pagesOf(claim)}) as resumes
    ) as c
    where ${rowOf(claim)} and ${isSame(claim)} and ${mayWrite(claim)} and (
      ${isFree} or (s.status = 'walking' and s.run_id = ${claim.runId})
      or (${claim.again}::boolean and s.status in ('complete', 'unavailable'))
      -- Where there had been data it is asked for again, and so is a client that is back.
      or (s.status = 'unavailable' and exists (
        select from sync.newest n where n.stream = s.stream and n.account = s.account and n.client_id = s.client_id))
      or (s.status = 'complete' and s.walk = 'left' and ${claim.walk} <> 'left')
    ) returning s.id
    ), dropped as (
      delete from sync.page p
      where ${claim.again}::boolean and ${pagesOf(claim)} and exists (select from taken)
    )
    select id from taken`.execute(db);
  return taken.rows.length === 1;
}

export async function endSlice(
  db: Executor,
  claim: Claim,
  end: { status: Exclude<SliceStatus, 'complete' | 'walking'>; error: string | undefined },
): Promise<void> {
  await db
    .updateTable('sync.slice')
    .set({
      status: end.status,
      error: end.error ?? null,
      updated_at: sql`clock_timestamp()`,
      ...(end.status === 'failed' || end.status === 'unavailable'
        ? // A loss keeps its time: the next walk is compared with it.
          {
            walked_at: sql<Date>`case when failed_rule = 'vanished' then walked_at else clock_timestamp() end`,
          }
        : {}),
    })
    .where('account', '=', claim.account)
    .where('id', '=', claim.sliceId)
    .where('run_id', '=', claim.runId)
    .where('status', '=', 'walking')
    .execute();
}

/** Marks slices that wait for budget, without a claim; leaves what is published or what a live run walks. */
export async function deferSlices(
  db: Executor,
  account: string,
  sliceIds: readonly number[],
  runId: number,
): Promise<void> {
  if (sliceIds.length === 0) return;
  await db
    .updateTable('sync.slice as s')
    .set({ status: 'deferred', run_id: runId, error: null, updated_at: sql`clock_timestamp()` })
    .where('s.account', '=', account)
    .where(sql<boolean>`s.id = any(${sliceIds}::bigint[])`)
    .where(isFree)
    .where(mayWrite({ account, runId }))
    .execute();
}

/** Marks a slice that cannot be walked, without a claim; leaves what is published or what a live run walks. */
export async function failSlice(db: Executor, claim: Claim, error: string): Promise<void> {
  await db
    .updateTable('sync.slice as s')
    .set({ status: 'failed', run_id: claim.runId, error, updated_at: sql`clock_timestamp()` })
    .where(rowOf(claim))
    .where(isFree)
    .where(mayWrite(claim))
    .execute();
}

/** Fails a published slice whose data cannot be used: published data stays, and the next sync asks again. */
export async function failPublished(
  db: Executor,
  scope: Scope & { readonly runDate: string },
  error: string,
): Promise<void> {
  await db
    .updateTable('sync.slice')
    .set({ status: 'failed', error, updated_at: sql`clock_timestamp()` })
    .where(ofScope(scope))
    .where('run_date', '=', scope.runDate)
    .where('status', '=', 'complete')
    .execute();
}

export async function countRequests(db: Executor, claim: Claim, requests: number): Promise<void> {
  await db
    .updateTable('sync.slice as s')
    .set((eb) => ({ requests: eb('s.requests', '+', requests) }))
    .where(rowOf(claim))
    .where('s.run_id', '=', claim.runId)
    .execute();
}

/** Turns slices that this run found unavailable into failed ones: the whole account is refused, not the streams. */
export async function failUnavailable(
  db: Executor,
  runId: number,
  account: string,
  error: string,
): Promise<number> {
  const result = await db
    .updateTable('sync.slice')
    .set({ status: 'failed', error })
    .where('run_id', '=', runId)
    .where('account', '=', account)
    .where('status', '=', 'unavailable')
    .where(mayWrite({ account, runId }))
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Ends unfinished slices of earlier run dates: their pages would mix two days. */
export async function abandonOlder(
  db: Executor,
  account: string,
  runDate: RunDate,
  runId: number,
): Promise<number> {
  const result = await sql`
    with old as (
      update sync.slice set
        status = case when completed_at is null then 'failed' else 'complete' end,
        error = 'not finished before run date ' || ${runDate}::text, updated_at = clock_timestamp()
      where account = ${account} and run_date < ${runDate}::date and status in ('planned', 'walking', 'deferred')
        and sync.run_may_write(${account}, ${runId})
        and not (status = 'walking' and coalesce(sync.run_is_alive(account, run_id), false))
      returning id
    )
    delete from sync.page where account = ${account} and slice_id in (
      select id from old
      union all
      select id from sync.slice where account = ${account} and run_date < ${runDate}::date and status = 'failed'
    )`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Removes slices of a run date that were planned and never got a page, unless another run of the account is alive. */
export async function forgetPlanned(
  db: Executor,
  account: string,
  runDate: RunDate,
  runId: number,
): Promise<void> {
  await sql`
    delete from sync.slice as s
    where s.account = ${account} and s.run_date = ${runDate}::date and s.status = 'planned' and s.completed_at is null
      and not exists (select from sync.page as p where p.account = s.account and p.slice_id = s.id)
      and not exists (
        select from sync.run as r
        where r.account = s.account and r.id <> ${runId} and r.status = 'running' and sync.run_is_alive(r.account, r.id)
      )`.execute(db);
}

export async function newestPublished(
  db: Executor,
  account: string,
  stream?: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('sync.slice')
    .select((eb) => eb.fn.max('run_date').as('run_date'))
    .where('account', '=', account)
    .where('completed_at', 'is not', null)
    .$if(stream !== undefined, (query) => query.where('stream', '=', stream ?? ''))
    .executeTakeFirst();
  return row?.run_date ?? undefined;
}
