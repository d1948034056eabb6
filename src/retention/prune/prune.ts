// Prunes scope after scope, each in a short transaction of its own, so that syncs go on beside it. Killed half-way, the
// scopes that are done stay as they are, and the same call does the others.
import { sql } from 'kysely';
import type pg from 'pg';
import { escapeIdentifier } from 'pg';
import { anyOf, type Executor } from '../../db/database.ts';
import { isLockTimeout } from '../../db/sqlstate.ts';
import { sourcesOf } from '../../mapping/logical/logical-sources.ts';
import { derivedFrom } from '../../publish/tables/derived.ts';
import type { Scope } from '../../store/slices/slices.ts';
import { datesThatStay, factStreams, type PruneRule } from './dates-that-stay.ts';
import { type PrunedScope, pruneScope } from './prune-scope.ts';

/** For scripts, and for the batch of a job. */
export function prunedJson({ streams, comparedDates }: Pruned) {
  return {
    streams: streams.map(({ stream, scopes, dates, versions, typedRows, bytes: size }) => ({
      stream,
      scopes,
      dates,
      versions,
      typed_rows: typedRows,
      bytes: size,
    })),
    compared_dates: comparedDates,
  };
}

/**
 * Gives the space of deleted rows back: one table at a time is written anew. Without it the space is used again by later
 * rows.
 */
export interface TableSize {
  readonly table: string;
  /** With its indexes: at most so much is needed beside it while it is written anew. */
  readonly bytes: number;
}

/** The tables of streams, the largest last, so that what the others give back helps it. */
export async function tablesOf(db: Executor, streams: readonly string[]): Promise<readonly TableSize[]> {
  const typed = streams.flatMap((stream) =>
    sourcesOf(stream).flatMap(({ name }) => [`typed.${name}`, ...derivedFrom(name).map((one) => one.table)]),
  );
  const names = new Set([...streams.map((stream) => `snapshot.${stream}`), 'snapshot.envelope', ...typed]);
  const { rows } = await sql<TableSize>`
    select n.nspname || '.' || c.relname as table, pg_total_relation_size(c.oid) as bytes
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname || '.' || c.relname = any(${[...names]}::text[]) and c.relkind = 'r'
    order by bytes, 1`.execute(db);
  return rows;
}

/** With its indexes, in bytes. */
export async function sizeOf(db: Executor, table: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_total_relation_size(${quoted(table)}::regclass) as bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}

function quoted(table: string): string {
  const [schema = '', ...name] = table.split('.');
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name.join('.'))}`;
}

/** Lets later rows use the space; nobody waits for it. */
export async function vacuumTables(db: Executor, tables: readonly TableSize[]): Promise<void> {
  for (const { table } of tables) await sql.raw(`vacuum (analyze) ${quoted(table)}`).execute(db);
}

/** Somebody who reads a table for longer than this is not waited for, because all others would wait too. */
const lockTimeoutMs = 10_000;

/** Writes a table anew under its exclusive lock. False: somebody else held it for too long, and nothing was changed. */
export async function rewriteTable(pool: pg.Pool, table: string): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    await client.query(`vacuum (full, analyze) ${quoted(table)}`);
    return true;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return false;
  } finally {
    await client.query('reset lock_timeout').catch(() => undefined);
    client.release();
  }
}

/**
 * Points that changes of bi.rank_latest, and of the account itself, are compared with, and whether pruning takes them away.
 */
interface ComparedPoint {
  readonly date: string;
  /** Every version that says it; a history says more of them for ever, and its points are not here. */
  readonly versions: readonly (Scope & { readonly from: string; readonly until: string })[];
}

async function readComparedPoints(
  db: Executor,
  account: string | undefined,
): Promise<readonly ComparedPoint[]> {
  const { rows } = await sql<ComparedPoint>`
    select c.date::text as date, json_agg(json_build_object('stream', p.source, 'account', p.account, 'clientId', p.slice_client_id,
      'from', case when p.is_standing then c.date else p.from_date end,
      'until', case when p.is_standing then c.date + 1 else p.until end)) as versions
    from (
      select distinct l.account, l.client_id, l.method, d.date
      from bi_map.rank_latest as l
      left join bi_map.client as a on a.account = l.account and a.client_id = l.client_id
      cross join lateral (values (l.date_7d), (l.date_28d)) as d (date)
      where d.date is not null and a.left_on is null and l.account = coalesce(${account ?? null}::text, l.account)
    ) as c
    join typed.rank_point as p on p.account = c.account and p.client_id = c.client_id and p.method = c.method
      and p.excluded_reason is null and (p.date = c.date or p.is_standing and c.date >= p.from_date and c.date < p.until)
    group by c.account, c.client_id, c.method, c.date
    having not bool_or(p.source_rank > 3 and p.until = 'infinity')`.execute(db);
  return rows;
}

/** The dates that go. @param staysOf dates of a scope that stay; undefined: all of them */
function comparedDatesThatGo(
  points: readonly ComparedPoint[],
  staysOf: (scope: Scope) => readonly string[] | undefined,
): readonly string[] {
  const goes = ({ versions }: ComparedPoint) =>
    versions.every(({ from, until, ...scope }) => {
      const stays = staysOf(scope);
      return (
        stays !== undefined && !stays.some((date) => date >= from && (until === 'infinity' || date < until))
      );
    });
  return points.filter(goes).map(({ date }) => date);
}

export interface PruneInput extends PruneRule {
  readonly streams: readonly string[];
  readonly account: string | undefined;
  /** Undefined: the account itself and every client. */
  readonly clientIds: readonly string[] | undefined;
  readonly isDry: boolean;
  readonly signal: AbortSignal;
  readonly listen?: (progress: { readonly done: number; readonly scopes: number }) => void;
}

export interface PrunedStream extends Omit<PrunedScope, 'stays'> {
  readonly stream: string;
  readonly scopes: number;
}

export interface Pruned {
  readonly streams: readonly PrunedStream[];
  /** Dates that changes of bi.rank_latest were compared with, one a change, the oldest first. */
  readonly comparedDates: readonly string[];
}

export async function prune(db: Executor, input: PruneInput): Promise<Pruned> {
  const scopes = await readScopes(db, input);
  const facts = new Map<string, readonly string[]>();
  const totals = new Map<string, PrunedStream>();
  const compared = await readComparedPoints(db, input.account);
  const stays = new Map<string, readonly string[]>();
  for (const [index, scope] of scopes.entries()) {
    input.signal.throwIfAborted();
    input.listen?.({ done: index, scopes: scopes.length });
    const factDates = facts.get(scope.account) ?? (await factDatesOf(db, scope.account, input));
    facts.set(scope.account, factDates);
    const pruned = await pruneScope(db, scope, { ...input, factDates });
    if (pruned === undefined) continue;
    totals.set(scope.stream, added(totals.get(scope.stream), scope, pruned));
    stays.set(keyOf(scope), pruned.stays);
  }
  // They belong to no client, and go with what the API says of crawlers.
  if (input.streams.includes('crawl') && input.clientIds === undefined) {
    const visits = await pruneVisits(db, input);
    if (visits.typedRows > 0) totals.set(visits.stream, visits);
  }
  return {
    streams: [...totals.values()].sort((a, b) => b.bytes - a.bytes),
    comparedDates: [...comparedDatesThatGo(compared, (scope) => stays.get(keyOf(scope)))].sort(),
  };
}

/**
 * Visits of crawlers, account after account. Days that are kept by week or month are added up on its first day, since visits
 * add up. The two newest days stay as they are.
 */
async function pruneVisits(
  db: Executor,
  { account, before, keep, isDry, signal }: PruneInput,
): Promise<PrunedStream> {
  const accounts = await db
    .selectFrom('sync.crawler_visit')
    .select('account')
    .distinct()
    .$if(account !== undefined, (query) => query.where('account', '=', account ?? ''))
    .orderBy('account')
    .execute();
  const period = keep === undefined ? null : { monthly: 'month', weekly: 'week' }[keep];
  const first = sql`date_trunc(${period}::text, v.day::timestamp)::date`;
  let total = { stream: 'crawler_visits', scopes: 0, dates: 0, versions: 0, typedRows: 0, bytes: 0 };
  for (const { account } of accounts) {
    signal.throwIfAborted();
    const goes = sql`v.account = ${account} and v.day < ${before}::date and v.day is distinct from ${first}
      and v.day < (select day from sync.crawler_visit where account = ${account} group by day order by day desc offset 1 limit 1)`;
    const { rows } = await sql<{ dates: number; typedRows: number; bytes: number }>`
      select count(distinct v.day)::integer as dates, count(*)::integer as "typedRows", coalesce(sum(pg_column_size(v.*)), 0)::bigint as bytes
      from sync.crawler_visit as v where ${goes}`.execute(db);
    const [went] = rows;
    if (went === undefined || went.typedRows === 0) continue;
    if (!isDry) {
      await sql`
        with gone as (
          delete from sync.crawler_visit as v where ${goes}
          returning v.account, v.host, v.bot, ${first} as day, v.status, v.visits
        )
        insert into sync.crawler_visit as c (account, host, bot, day, status, visits)
        select account, host, bot, day, status, sum(visits) from gone where day is not null
        group by account, host, bot, day, status
        order by day, bot, host, status
        on conflict (account, day, bot, host, status) do update set visits = c.visits + excluded.visits`.execute(
        db,
      );
    }
    total = {
      ...total,
      scopes: total.scopes + 1,
      dates: total.dates + went.dates,
      typedRows: total.typedRows + went.typedRows,
      bytes: total.bytes + went.bytes,
    };
  }
  return total;
}

function keyOf({ stream, account, clientId }: Scope): string {
  return JSON.stringify([stream, account, clientId]);
}

function added(total: PrunedStream | undefined, { stream }: Scope, pruned: PrunedScope): PrunedStream {
  return {
    stream,
    scopes: (total?.scopes ?? 0) + 1,
    dates: (total?.dates ?? 0) + pruned.dates,
    versions: (total?.versions ?? 0) + pruned.versions,
    typedRows: (total?.typedRows ?? 0) + pruned.typedRows,
    bytes: (total?.bytes ?? 0) + pruned.bytes,
  };
}

/** Scopes with complete dates before the rule's, by account. */
async function readScopes(db: Executor, input: PruneInput): Promise<readonly Scope[]> {
  const rows = await db
    .selectFrom('sync.newest as n')
    .select(['n.stream', 'n.account', 'n.client_id as clientId'])
    .where('n.stream', '=', anyOf(input.streams))
    .$if(input.account !== undefined, (query) => query.where('n.account', '=', input.account ?? ''))
    .$if(input.clientIds !== undefined, (query) =>
      query.where('n.client_id', '=', anyOf(input.clientIds ?? [])),
    )
    .where(
      sql<boolean>`exists (
        select from sync.slice as s
        where s.account = n.account and s.stream = n.stream and s.client_id = n.client_id
          and s.completed_at is not null and s.run_date < ${input.before}::date
      )`,
    )
    .orderBy('n.account')
    .orderBy('n.stream')
    .orderBy('n.client_id')
    .execute();
  return rows;
}

/** Dates before the rule's that stay in any scope of the streams whose facts have dates of their own. */
async function factDatesOf(db: Executor, account: string, rule: PruneRule): Promise<readonly string[]> {
  const { rows } = await sql<{ dates: string[] }>`
    select array_agg(run_date::text order by run_date) as dates from sync.slice
    where account = ${account} and stream = any(${[...factStreams]}::text[]) and completed_at is not null
    group by stream, client_id`.execute(db);
  const dates = rows.flatMap(({ dates }) => datesThatStay(dates, rule));
  return [...new Set(dates)];
}

/** Accounts of which anything is published. */
export async function publishedAccounts(db: Executor): Promise<readonly string[]> {
  const rows = await db.selectFrom('sync.newest').select('account').distinct().orderBy('account').execute();
  return rows.map(({ account }) => account);
}

/** Clients of which anything is published, those that have left included. Undefined: of every account. */
export async function prunableClients(
  db: Executor,
  account: string | undefined,
): Promise<readonly { readonly account: string; readonly clientId: string; readonly name: string }[]> {
  const { rows } = await sql<{ account: string; clientId: string; name: string }>`
    select n.account, n.client_id as "clientId", coalesce(max(c.client_name), n.client_id) as name
    from sync.newest as n left join bi.clients as c using (account, client_id)
    where n.client_id <> '' and n.account = coalesce(${account ?? null}::text, n.account)
    group by n.account, n.client_id order by n.account, n.client_id`.execute(db);
  return rows;
}
