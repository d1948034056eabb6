// Thins the versions of a scope to what they would be, had only the dates that stay been published: a version begins and
// ends on dates that stay, one that holds on none of them goes, and equal ones that come to touch are one.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import type { Scope } from '../../store/slices/slices.ts';

/** The versions of a scope's own records, or what stands beside its lists. */
export interface VersionsOf extends Scope {
  readonly isEnvelope: boolean;
}

export interface Thinned {
  /** Versions that go. */
  readonly rows: number;
  readonly bytes: number;
  /** Versions that go, and those that begin or end on another date. */
  readonly touched: number;
}

/** Makes the connection's table, empty; `on commit delete rows` empties it. */
export async function createThinned(tx: Executor): Promise<void> {
  await sql`
    create temporary table if not exists thinned (
      stream text not null,
      record_key text not null,
      run_date date not null,
      until date not null,
      new_date date,
      new_until date,
      is_removed boolean not null
    ) on commit delete rows`.execute(tx);
}

const tableOf = ({ stream, isEnvelope }: VersionsOf) => sql.id('snapshot', isEnvelope ? 'envelope' : stream);
const nameOf = ({ stream, isEnvelope }: VersionsOf) => (isEnvelope ? 'envelope' : stream);

const ofScope = (versions: VersionsOf) => sql`
  r.account = ${versions.account} and r.client_id = ${versions.clientId}
  and (${versions.isEnvelope ? versions.stream : null}::text is null or r.record_key = ${versions.stream})`;

/**
 * Notes what changes in `pg_temp.thinned`. No version is touched that begins after `edge`.
 * @param stays dates that stay up to `edge`, the last of them
 */
export async function planThinned(
  tx: Executor,
  versions: VersionsOf,
  stays: readonly string[],
  edge: string,
): Promise<void> {
  await sql`
    with version as (
      select r.record_key, r.run_date, r.until, r.hash from ${tableOf(versions)} as r
      where ${ofScope(versions)} and r.run_date <= ${edge}::date
    ), stay as (
      select d.date, (select min(s) from unnest(${[...stays]}::date[]) as s where s >= d.date) as stay
      from (select run_date as date from version union select until from version where until <= ${edge}::date) as d
    ), moved as (
      select v.*, f.stay as new_date, case when v.until > ${edge}::date then v.until else u.stay end as new_until
      from version as v join stay as f on f.date = v.run_date left join stay as u on u.date = v.until
    ), staying as (
      select *, (lag(new_until) over w is not distinct from new_date and lag(hash) over w = hash) is not true as begins
      from moved where new_date < new_until
      window w as (partition by record_key order by new_date)
    ), numbered as (
      select *, count(*) filter (where begins) over (partition by record_key order by new_date) as place from staying
    ), newest as (
      select record_key, run_date, new_until, min(new_date) over w as new_date,
        new_date = max(new_date) over w as is_last
      from numbered window w as (partition by record_key, place)
    )
    insert into pg_temp.thinned (stream, record_key, run_date, until, new_date, new_until, is_removed)
    select ${nameOf(versions)}, m.record_key, m.run_date, m.until, n.new_date, n.new_until, n.is_last is not true
    from moved as m left join newest as n on n.record_key = m.record_key and n.run_date = m.run_date
    where n.is_last is not true or n.new_date <> m.run_date or n.new_until <> m.until`.execute(tx);
}

/** What goes by the plan. */
export async function measureThinned(tx: Executor, versions: VersionsOf): Promise<Thinned> {
  const { rows } = await sql<Thinned>`
    select count(*) filter (where t.is_removed) as rows, count(*) as touched,
      coalesce(sum(pg_column_size(r.payload) + ${rowBytes} + 2 * octet_length(r.record_key))
        filter (where t.is_removed), 0)::bigint as bytes
    from pg_temp.thinned as t
    join ${tableOf(versions)} as r on ${ofScope(versions)} and r.until = t.until and r.record_key = t.record_key
    where t.stream = ${nameOf(versions)}`.execute(tx);
  return rows[0] ?? { rows: 0, bytes: 0, touched: 0 };
}

/** A version's row without payload and key, and its places in two indexes. */
const rowBytes = 160;

export async function applyThinned(tx: Executor, versions: VersionsOf): Promise<void> {
  const same = sql`${ofScope(versions)} and t.stream = ${nameOf(versions)}
    and r.until = t.until and r.record_key = t.record_key and r.run_date = t.run_date`;
  // First what goes: another version may end on its date.
  await sql`delete from ${tableOf(versions)} as r using pg_temp.thinned as t where ${same} and t.is_removed`.execute(
    tx,
  );
  await sql`
    update ${tableOf(versions)} as r set run_date = t.new_date, until = t.new_until
    from pg_temp.thinned as t where ${same} and not t.is_removed`.execute(tx);
}
