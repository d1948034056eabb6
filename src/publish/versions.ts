// Merges incoming records into stored versions: closes what is gone or changed, inserts what is new, leaves equal ones
// untouched. The state before run date d is every version with run_date < d that is open or was closed by d itself
// (until = d). Publishing d again compares with that state, so the first publish of d leaves no trace, and nothing is
// written twice.

import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../db/database.ts';
import type { VersionScope } from '../store/slices/slices.ts';
import { noting } from './tables/touched.ts';

interface VersionChange extends VersionScope {
  readonly again: boolean;
  /** Restricts the change to this record key (an envelope among those of other streams). */
  readonly onlyKey: string | undefined;
  /**
   * Records that did not come in stay as they are, as the walk saw the first pages only. Never together with `again`.
   */
  readonly leaveRest?: boolean;
}

export interface VersionCounts {
  readonly records: number;
  readonly inserted: number;
  readonly changed: number;
  readonly vanished: number;
  readonly unchanged: number;
}

export interface Applied {
  readonly counts: VersionCounts;
  readonly written: number;
  /** Rows that were inserted, ended, reopened or taken back: those in pg_temp.touched. */
  readonly touched: number;
  /** Counts of a run date that is published again, compared with its previous publish. */
  readonly sinceLast: VersionCounts | undefined;
}

/** Turns the connection's incoming records of one stream into versions. */
export async function applyVersions(tx: Executor, change: VersionChange): Promise<Applied> {
  const sinceLast = change.again ? await countSinceLast(tx, change) : undefined;
  const undone = change.again ? await undoVersions(tx, change) : 0;
  const closed = change.leaveRest ? await closeChanged(tx, change) : await closeVersions(tx, change);
  const written = await insertVersions(tx, change);
  const records = closed.records ?? (await countCurrent(tx, change));
  const counts = change.again
    ? await countVersions(tx, change, records)
    : countsOf(records, { today: written, ...closed });
  return { counts: { records, ...counts }, written, touched: undone + closed.closed + written, sinceLast };
}

const scopeOf = (change: VersionChange) => sql`
  r.stream = ${change.stream} and r.account = ${change.account} and r.client_id = ${change.clientId}
  and (${change.onlyKey ?? null}::text is null or r.record_key = ${change.onlyKey ?? null})`;

const incomingOf = (change: VersionChange) => sql`
  select from pg_temp.incoming i where i.stream = ${change.stream} and i.record_key = r.record_key`;

const dayOf = (change: VersionChange) => sql`${change.runDate}::date`;

/**
 * Takes back what an earlier publish of this run date wrote and this one does not; returns how many versions. Works in
 * reverse order of closing: today's version goes before the one it replaced returns. Two deletes, because Postgres runs
 * `not exists … or exists …` as a search for each row.
 */
async function undoVersions(tx: Executor, change: VersionChange): Promise<number> {
  const day = dayOf(change);
  let undone = 0;
  const run = async (text: RawBuilder<unknown>) => {
    undone += Number((await noting(change.stream, text).execute(tx)).numAffectedRows ?? 0);
  };
  await run(sql`
    delete from snapshot.record r
    where ${scopeOf(change)} and r.until = 'infinity' and r.run_date = ${day}
      and not exists (${incomingOf(change)})`);
  await run(sql`
    delete from snapshot.record r
    using snapshot.record b, pg_temp.incoming i
    where ${scopeOf(change)} and r.until = 'infinity' and r.run_date = ${day}
      and b.stream = ${change.stream} and b.account = ${change.account} and b.client_id = ${change.clientId}
      and b.until = ${day} and b.record_key = r.record_key
      and i.stream = b.stream and i.record_key = b.record_key and i.hash = b.hash`);
  await run(sql`
    update snapshot.record r set until = 'infinity'
    where ${scopeOf(change)} and r.until = ${day}
      and exists (${incomingOf(change)} and i.hash = r.hash)`);
  return undone;
}

interface Closed {
  readonly closed: number;
  readonly changed: number;
  readonly records: number | undefined;
}

async function closeVersions(tx: Executor, change: VersionChange): Promise<Closed> {
  const result = await sql<Closed>`
    with closed as (
      update snapshot.record r set until = ${dayOf(change)}
      where ${scopeOf(change)} and r.until = 'infinity' and r.run_date < ${dayOf(change)}
        and not exists (${incomingOf(change)} and i.hash = r.hash)
      returning r.record_key, r.run_date
    ), noted as (
      insert into pg_temp.touched (stream, record_key, run_date)
      select ${change.stream}, record_key, run_date from closed
    )
    select count(*) as closed, count(i.record_key) as changed,
      (select count(*) from pg_temp.incoming where stream = ${change.stream}) as records
    from closed left join pg_temp.incoming i on i.stream = ${change.stream} and i.record_key = closed.record_key`.execute(
    tx,
  );
  return result.rows[0] ?? { closed: 0, changed: 0, records: 0 };
}

/**
 * Closes only what came in with other content; what did not come in stays. Looks each record up behind a fence, because
 * a planner without statistics takes the scope for one row and reads all of it.
 */
async function closeChanged(tx: Executor, change: VersionChange): Promise<Closed> {
  const closed = sql`
    update snapshot.record r set until = ${dayOf(change)}
    where r.stream = ${change.stream} and r.ctid = any (array(
      select v.ctid from pg_temp.incoming i
      cross join lateral (
        select r.ctid from snapshot.record r
        where ${scopeOf(change)} and r.until = 'infinity' and r.run_date < ${dayOf(change)}
          and r.record_key = i.record_key and r.hash <> i.hash
        offset 0
      ) as v
      where i.stream = ${change.stream}
    ))`;
  const result = await noting(change.stream, closed).execute(tx);
  const changed = Number(result.numAffectedRows ?? 0);
  return { closed: changed, changed, records: undefined };
}

/** Inserts versions that are not there yet; returns the number of rows. */
async function insertVersions(tx: Executor, change: VersionChange): Promise<number> {
  // Only an earlier publish of the same date can have left an open version of today. Without one there is no conflict
  // to look for, and looking costs half as much again as inserting.
  const conflict = change.again
    ? sql`on conflict (account, client_id, until, record_key, stream)
        do update set hash = excluded.hash, payload = excluded.payload`
    : sql``;
  // With the fence each record is looked up; without it they are compared with the scope as a whole.
  const fence = change.leaveRest ? sql`offset 0` : sql``;
  const inserted = sql`
    insert into snapshot.record as r (stream, account, client_id, record_key, run_date, hash, payload)
    select i.stream, ${change.account}, ${change.clientId}, i.record_key, ${dayOf(change)}, i.hash, i.payload
    from pg_temp.incoming i
    where i.stream = ${change.stream} and not exists (
      select from snapshot.record r
      where ${scopeOf(change)} and r.until = 'infinity' and r.record_key = i.record_key and r.hash = i.hash
      ${fence}
    )
    ${conflict}`;
  const result = await noting(change.stream, inserted).execute(tx);
  return Number(result.numAffectedRows ?? 0);
}

async function countCurrent(tx: Executor, change: VersionChange): Promise<number> {
  const result = await sql<{ records: number }>`
    select count(*) as records from snapshot.record r
    where ${scopeOf(change)} and r.until = 'infinity'`.execute(tx);
  return result.rows[0]?.records ?? 0;
}

/** Compares a run date with its earlier publish, before any of that is taken back. */
async function countSinceLast(tx: Executor, change: VersionChange): Promise<VersionCounts> {
  const result = await sql<VersionCounts>`
    with current as (
      select r.record_key, r.hash from snapshot.record r where ${scopeOf(change)} and r.until = 'infinity'
    ), incoming as (
      select i.record_key, i.hash from pg_temp.incoming i where i.stream = ${change.stream}
    )
    select count(i.record_key) as records,
      count(*) filter (where r.record_key is null) as inserted,
      count(*) filter (where i.hash <> r.hash) as changed,
      count(*) filter (where i.record_key is null) as vanished,
      count(*) filter (where i.hash = r.hash) as unchanged
    from incoming i full join current r using (record_key)`.execute(tx);
  return result.rows[0] ?? { records: 0, inserted: 0, changed: 0, vanished: 0, unchanged: 0 };
}

/** Counts what the run date changed against the one before, however often it was published. */
async function countVersions(tx: Executor, change: VersionChange, records: number) {
  const result = await sql<Versions>`
    with today as (
      select record_key from snapshot.record r
      where ${scopeOf(change)} and r.until = 'infinity' and r.run_date = ${dayOf(change)}
    ), closed as (
      select record_key from snapshot.record r where ${scopeOf(change)} and r.until = ${dayOf(change)}
    )
    select
      (select count(*) from today) as today,
      (select count(*) from closed) as closed,
      (select count(*) from today join closed using (record_key)) as changed`.execute(tx);
  return countsOf(records, result.rows[0] ?? { today: 0, closed: 0, changed: 0 });
}

interface Versions {
  readonly today: number;
  readonly closed: number;
  readonly changed: number;
}

function countsOf(records: number, { today, closed, changed }: Versions) {
  return { inserted: today - changed, changed, vanished: closed - changed, unchanged: records - today };
}
