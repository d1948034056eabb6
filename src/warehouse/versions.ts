// Incoming records against stored versions: close what is gone or changed, insert what is new,
// leave equal ones untouched.
//
// The state before run date d is every version with run_date < d that is open or was closed by d
// itself (until = d). Publishing d again compares with that state, so the first publish of d leaves
// no trace, and nothing is written twice.
import { sql } from 'kysely';
import type { Executor } from './database.ts';

export interface VersionScope {
  readonly stream: string;
  readonly account: string;
  readonly clientId: string;
  readonly runDate: string;
}

interface VersionChange extends VersionScope {
  /** This run date was published before. */
  readonly again: boolean;
  /** Only this record key of the scope is concerned (an envelope beside those of other streams). */
  readonly onlyKey: string | undefined;
  /** What did not come in stays as it is: the walk saw the head only. Never together with `again`. */
  readonly keepRest?: boolean;
}

export interface VersionCounts {
  readonly records: number;
  readonly inserted: number;
  readonly changed: number;
  readonly vanished: number;
  readonly unchanged: number;
}

/** Turns the connection's incoming records of one stream into versions. */
export async function applyVersions(tx: Executor, change: VersionChange): Promise<void> {
  const scope = sql`
    r.stream = ${change.stream} and r.account = ${change.account} and r.client_id = ${change.clientId}
    and (${change.onlyKey ?? null}::text is null or r.record_key = ${change.onlyKey ?? null})`;
  const incoming = sql`select from pg_temp.incoming i where i.stream = ${change.stream}`;
  const day = sql`${change.runDate}::date`;

  if (change.again) {
    // In reverse order of closing: today's version goes before the one it replaced returns. Two
    // statements, because Postgres runs `not exists … or exists …` as a search for each row.
    await sql`
      delete from snapshot.record r
      where ${scope} and r.until = 'infinity' and r.run_date = ${day}
        and not exists (${incoming} and i.record_key = r.record_key)`.execute(tx);
    await sql`
      delete from snapshot.record r
      using snapshot.record b, pg_temp.incoming i
      where ${scope} and r.until = 'infinity' and r.run_date = ${day}
        and b.stream = ${change.stream} and b.account = ${change.account} and b.client_id = ${change.clientId}
        and b.until = ${day} and b.record_key = r.record_key
        and i.stream = b.stream and i.record_key = b.record_key and i.hash = b.hash`.execute(tx);
    await sql`
      update snapshot.record r set until = 'infinity'
      where ${scope} and r.until = ${day}
        and exists (${incoming} and i.record_key = r.record_key and i.hash = r.hash)`.execute(tx);
  }

  if (change.keepRest) {
    await sql`
      update snapshot.record r set until = ${day}
      from pg_temp.incoming i
      where ${scope} and r.until = 'infinity' and r.run_date < ${day}
        and i.stream = ${change.stream} and i.record_key = r.record_key and i.hash <> r.hash`.execute(tx);
  } else {
    await sql`
      update snapshot.record r set until = ${day}
      where ${scope} and r.until = 'infinity' and r.run_date < ${day}
        and not exists (${incoming} and i.record_key = r.record_key and i.hash = r.hash)`.execute(tx);
  }

  await sql`
    insert into snapshot.record as old (stream, account, client_id, record_key, run_date, hash, payload)
    select i.stream, ${change.account}, ${change.clientId}, i.record_key, ${day}, i.hash, i.payload
    from pg_temp.incoming i
    where i.stream = ${change.stream} and not exists (
      select from snapshot.record r
      where ${scope} and r.until = 'infinity' and r.record_key = i.record_key and r.hash = i.hash
    )
    on conflict (account, client_id, until, record_key, stream)
    do update set hash = excluded.hash, payload = excluded.payload`.execute(tx);
}

/**
 * What the published run date changed against the one before, whatever was published in between.
 * @param all count every current record of the scope, not only those that came in
 */
export async function countVersions(tx: Executor, scope: VersionScope, all = false): Promise<VersionCounts> {
  const current = sql`(
    select count(*) from snapshot.record
    where stream = ${scope.stream} and account = ${scope.account} and client_id = ${scope.clientId} and until = 'infinity'
  )`;
  const result = await sql<Record<'records' | 'today' | 'closed' | 'changed', number>>`
    with today as (
      select record_key from snapshot.record
      where stream = ${scope.stream} and account = ${scope.account} and client_id = ${scope.clientId}
        and until = 'infinity' and run_date = ${scope.runDate}::date
    ), closed as (
      select record_key from snapshot.record
      where stream = ${scope.stream} and account = ${scope.account} and client_id = ${scope.clientId}
        and until = ${scope.runDate}::date
    )
    select
      ${all ? current : sql`(select count(*) from pg_temp.incoming where stream = ${scope.stream})`} as records,
      (select count(*) from today) as today,
      (select count(*) from closed) as closed,
      (select count(*) from today join closed using (record_key)) as changed`.execute(tx);
  const { records = 0, today = 0, closed = 0, changed = 0 } = result.rows[0] ?? {};
  return {
    records,
    inserted: today - changed,
    changed,
    vanished: closed - changed,
    unchanged: records - today,
  };
}
