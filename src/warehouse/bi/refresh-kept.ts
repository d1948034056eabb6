// Keeps the tables of the curated views: after a run, what it published is read from the versions once more, a
// stream at a time. Until then, and after a crash, the views read those scopes from the versions.
import { sql } from 'kysely';
import type { Executor } from '../database.ts';
import { codeOf } from '../sqlstate.ts';
import { derivedFrom } from './derived-kept.ts';
import { beginKeeping, keptTables, updateKept } from './kept-sql.ts';
import { logicalSources, sourcesOf } from './logical-sources.ts';
import { isAfterMonth, markMonth } from './month-sql.ts';
import { readMapping } from './refresh-mapping.ts';
import { versionSql } from './version-sql.ts';

export interface KeepOptions {
  /** Streams that are expected to take longer than what is left of this wait for the next time. Default: no limit. */
  readonly budgetMs?: number;
}

export interface Kept {
  /** Scopes that are kept now. */
  readonly scopes: number;
  /** Streams that wait for the next time: the views read them from the versions. */
  readonly waiting: readonly string[];
}

/** Measured: reading the fields of a version and writing its row, and writing a row by date. */
const versionMs = 0.05;
const monthRowMs = 0.01;
const scopeMs = 0.2;

/** Safe to call at any time and from several processes: who finds another one at work leaves it to that. */
export async function refreshKept(db: Executor, { budgetMs = Infinity }: KeepOptions = {}): Promise<Kept> {
  let left = budgetMs;
  let scopes = 0;
  const waiting: string[] = [];
  for (const group of await readGroups(db)) {
    const begun = performance.now();
    const kept = group.expectedMs > left ? undefined : await keepStreams(db, group.streams);
    if (kept === undefined) waiting.push(...group.streams);
    else scopes += kept;
    left -= performance.now() - begun;
  }
  return { scopes, waiting };
}

/** Streams that the curated views read from the versions until they are kept. */
export async function streamsNotKept(db: Executor): Promise<readonly string[]> {
  return (await readGroups(db)).flatMap((group) => group.streams);
}

interface Group {
  readonly streams: readonly string[];
  readonly expectedMs: number;
}

/** Streams that something is kept of together (the AI Rank's points) go together. The quickest first. */
async function readGroups(db: Executor): Promise<Group[]> {
  const read = [...new Set(logicalSources.map((source) => source.stream))];
  const { rows } = await sql<{ stream: string; scopes: number; versions: number; monthRows: number }>`
    select n.stream, count(*) as scopes, coalesce(sum(w.versions), 0)::bigint as versions,
      coalesce(sum(w.month_rows), 0)::bigint as "monthRows"
    from sync.newest as n
    cross join lateral (
      select sum(s.inserted + s.changed) as versions,
        sum(s.records) filter (where ${sql.raw(isAfterMonth)}) as month_rows
      from sync.slice as s
      where s.stream = n.stream and s.account = n.account and s.client_id = n.client_id
        and s.run_date >= coalesce(n.kept_date, '-infinity') and s.completed_at is not null
    ) as w
    where not n.is_kept and n.stream = any(${read}::text[])
    group by n.stream`.execute(db);
  const groups = new Map<string, { streams: string[]; expectedMs: number }>();
  for (const { stream, scopes, versions, monthRows } of rows) {
    const key = derivedFrom([stream])[0]?.streams.join(' ') ?? stream;
    const group = groups.get(key) ?? { streams: [], expectedMs: 0 };
    group.streams.push(stream);
    for (const source of sourcesOf(stream)) {
      group.expectedMs +=
        versions * versionMs + scopes * scopeMs + (source.isByDate ? monthRows * monthRowMs : 0);
    }
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => a.expectedMs - b.expectedMs);
}

/** Serialization failure: something was published, or mapped anew, in between. */
const changedMeanwhile = '40001';
const maxAttempts = 3;

/** How many scopes are kept now; undefined when somebody else was at it. */
async function keepStreams(db: Executor, streams: readonly string[]): Promise<number | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await keepInOne(db, streams);
    } catch (error) {
      if (codeOf(error) !== changedMeanwhile) throw error;
      if (attempt === maxAttempts) return undefined;
    }
  }
}

/** One snapshot for all of it: what is marked as kept is what was read. */
async function keepInOne(db: Executor, streams: readonly string[]): Promise<number | undefined> {
  const kept = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql.raw(beginKeeping).execute(tx);
      await sql`set local jit = off`.execute(tx);
      await sql`set local work_mem = '64MB'`.execute(tx);
      const lock = await sql<{ taken: boolean }>`
        select pg_try_advisory_xact_lock(sync.run_lock_class(), hashtext('bi_kept')) as taken`.execute(tx);
      if (lock.rows[0]?.taken !== true) return undefined;
      const scopes = await takeScopes(tx, streams);
      if (scopes.count === 0) return scopes;
      const mapping = await readMapping(tx);
      const derived: (() => Promise<void>)[] = [];
      for (const { update } of derivedFrom(streams)) derived.push(await update(tx));
      for (const source of logicalSources.filter((one) => streams.includes(one.stream))) {
        const own = mapping.filter((row) => row.source === source.name);
        for (const text of updateKept(source, versionSql(source, own))) await sql.raw(text).execute(tx);
      }
      // A publish of the same scope waits from here to the end: little is left to do.
      await sql`
        update sync.newest as n set kept_date = n.run_date, kept_at = n.completed_at, ${sql.raw(markMonth)}
        from pg_temp.kept_scope as s
        where n.stream = s.stream and n.account = s.account and n.client_id = s.client_id`.execute(tx);
      for (const update of derived) await update();
      return scopes;
    });
  if (kept?.isLarge === true) await analyze(db, streams);
  return kept?.count;
}

async function takeScopes(
  tx: Executor,
  streams: readonly string[],
): Promise<{ count: number; isLarge: boolean }> {
  await sql`
    create temporary table kept_scope on commit drop as
    select stream, account, client_id, coalesce(kept_date, '-infinity') as kept_date
    from sync.newest where not is_kept and stream = any(${streams}::text[])`.execute(tx);
  await sql`analyze pg_temp.kept_scope`.execute(tx);
  const { rows } = await sql<{ count: number; isLarge: boolean }>`
    select count(*) as count, coalesce(bool_or(kept_date = '-infinity'), false) as "isLarge"
    from pg_temp.kept_scope`.execute(tx);
  return rows[0] ?? { count: 0, isLarge: false };
}

/** Without statistics the first queries after a first load would be planned for empty tables. */
async function analyze(db: Executor, streams: readonly string[]): Promise<void> {
  const sources = logicalSources.filter((one) => streams.includes(one.stream));
  const tables = [...sources.flatMap(keptTables), ...derivedFrom(streams).flatMap((one) => one.tables)];
  await sql.raw(`analyze sync.newest, ${tables.join(', ')}`).execute(db);
}
