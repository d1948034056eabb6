// Prunes one scope in one transaction, under the lock that its publishes take. The dates are read under it: a publish
// before it only adds a date that stays, and one after it finds a scope like any other.
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { sourcesOf } from '../../mapping/logical/logical-sources.ts';
import { envelopeFields } from '../../mapping/version-sql.ts';
import { rewriteDerived } from '../../publish/tables/rewrite-scopes.ts';
import { type TypedTable, tableName } from '../../publish/tables/typed-sql.ts';
import { type MappedTable, readTables, scopeLocks } from '../../publish/tables/typed-tables.ts';
import type { Scope } from '../../store/slices/slices.ts';
import { datesThatStay, factDates, type PruneRule } from './dates-that-stay.ts';

/** The versions of a scope's own records, or what stands beside its lists. */
interface VersionsOf extends Scope {
  readonly isEnvelope: boolean;
}

interface Thinned {
  readonly rows: number;
  readonly bytes: number;
  readonly touched: number;
}

/** Makes the connection's table, empty; `on commit delete rows` empties it. */
async function createThinned(tx: Executor): Promise<void> {
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
async function planThinned(
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
async function measureThinned(tx: Executor, versions: VersionsOf): Promise<Thinned> {
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

async function applyThinned(tx: Executor, versions: VersionsOf): Promise<void> {
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

/** The typed tables of a stream, those that are filled beside the current ones included. */
async function typedTablesOf(tx: Executor, stream: string): Promise<readonly MappedTable[]> {
  return await readTables(tx, sourcesOf(stream));
}

const same = (table: TypedTable, { stream, account, clientId }: Scope) => sql`
  t.stream = ${table.source.envelope ? 'envelope' : stream} and x.account = ${account} and x.slice_client_id = ${clientId}
  and x.until = t.until and x.from_date = t.run_date and x.record_key = t.record_key`;

const named = (table: TypedTable): RawBuilder<unknown> => sql.raw(tableName(table));

/** What goes of a table by the plan in `pg_temp.thinned`. */
async function measureTyped(tx: Executor, table: TypedTable, scope: Scope): Promise<Thinned> {
  const { rows } = await sql<Thinned>`
    select count(*) filter (where t.is_removed) as rows, count(*) as touched,
      coalesce(sum(pg_column_size(x.*) + ${indexBytes}) filter (where t.is_removed), 0)::bigint as bytes
    from ${named(table)} as x join pg_temp.thinned as t on ${same(table, scope)}`.execute(tx);
  return rows[0] ?? { rows: 0, bytes: 0, touched: 0 };
}

/** Places of a row in the indexes of its table. */
const indexBytes = 120;

async function thinTyped(tx: Executor, table: TypedTable, scope: Scope): Promise<void> {
  const of = same(table, scope);
  await sql`delete from ${named(table)} as x using pg_temp.thinned as t where ${of} and t.is_removed`.execute(
    tx,
  );
  await sql`
    update ${named(table)} as x set from_date = t.new_date, until = t.new_until
    from pg_temp.thinned as t where ${of} and not t.is_removed`.execute(tx);
}

/** @param isEnvelopeThinned what stands beside the list may be another on the last date of a version */
async function deriveAgain(
  tx: Executor,
  { source, isShadow, mapping }: MappedTable,
  scope: Scope,
  isEnvelopeThinned: boolean,
): Promise<void> {
  if (isShadow || mapping === undefined) return;
  if (!isEnvelopeThinned || envelopeFields(source, mapping).length === 0) {
    const { rows } = await sql<{ is_touched: boolean }>`
      select exists (
        select from pg_temp.thinned where stream = ${source.envelope ? 'envelope' : source.stream}
      ) as is_touched`.execute(tx);
    if (rows[0]?.is_touched !== true) return;
  }
  await rewriteDerived(tx, { source, isShadow }, mapping, [scope]);
}

export interface PrunedScope {
  readonly dates: number;
  readonly stays: readonly string[];
  readonly versions: number;
  readonly typedRows: number;
  readonly bytes: number;
}

interface ScopeRule extends PruneRule {
  /** Dates that stay anywhere in the account: facts of these dates stay too. */
  readonly factDates: readonly string[];
  /** Nothing is changed. */
  readonly isDry: boolean;
}

/** Undefined: every date of it stays. */
export async function pruneScope(
  db: Executor,
  scope: Scope,
  rule: ScopeRule,
): Promise<PrunedScope | undefined> {
  return await db.transaction().execute(async (tx) => {
    await sql`select set_config('jit', 'off', true), set_config('work_mem', '64MB', true)`.execute(tx);
    if (!rule.isDry) await sql`select ${scopeLocks(scope)}`.execute(tx);
    const complete = await completeDates(tx, scope);
    const picked = datesThatStay(complete, rule);
    if (picked.length === complete.length) return undefined;
    await createThinned(tx);
    const versions = [
      { ...scope, isEnvelope: false },
      { ...scope, isEnvelope: true },
    ];
    const plan = async (stays: readonly string[]) => {
      const edge = stays.find((date) => date >= rule.before) ?? stays.at(-1) ?? '';
      const upToEdge = stays.filter((date) => date <= edge);
      await sql`delete from pg_temp.thinned`.execute(tx);
      for (const one of versions) await planThinned(tx, one, upToEdge, edge);
      await sql`analyze pg_temp.thinned`.execute(tx);
    };
    await plan(picked);
    const more = await factDates(tx, scope, rule.factDates);
    const stays = complete.filter((date) => picked.includes(date) || more.includes(date));
    if (stays.length > picked.length) await plan(stays);
    const gone = complete.filter((date) => !stays.includes(date));
    if (gone.length === 0) return undefined;
    const tables = await typedTablesOf(tx, scope.stream);
    const counted = [];
    for (const one of versions) counted.push(await measureThinned(tx, one));
    const counts = [];
    for (const table of tables) counts.push(await measureTyped(tx, table, scope));
    if (!rule.isDry) {
      for (const one of versions) await applyThinned(tx, one);
      for (const table of tables) await thinTyped(tx, table, scope);
      const isEnvelopeThinned = (counted[1]?.touched ?? 0) > 0;
      for (const table of tables) await deriveAgain(tx, table, scope, isEnvelopeThinned);
      await markPruned(tx, scope, gone);
    }
    return {
      dates: gone.length,
      stays,
      versions: sum(counted.map(({ rows }) => rows)),
      typedRows: sum(counts.map(({ rows }) => rows)),
      bytes: sum([...counted, ...counts].map(({ bytes }) => bytes)),
    };
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The oldest first. */
async function completeDates(db: Executor, { stream, account, clientId }: Scope): Promise<string[]> {
  const rows = await db
    .selectFrom('sync.slice')
    .select('run_date')
    .where('account', '=', account)
    .where('stream', '=', stream)
    .where('client_id', '=', clientId)
    .where('completed_at', 'is not', null)
    .orderBy('run_date')
    .execute();
  return rows.map((row) => row.run_date);
}

/** No sync takes them up again: they are older than the newest published date, and neither planned nor failed. */
async function markPruned(tx: Executor, scope: Scope, dates: readonly string[]): Promise<void> {
  await sql`
    update sync.slice set status = 'pruned', completed_at = null, updated_at = clock_timestamp()
    where account = ${scope.account} and stream = ${scope.stream} and client_id = ${scope.clientId}
      and run_date = any(${[...dates]}::date[]) and completed_at is not null`.execute(tx);
}
