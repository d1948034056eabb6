// What earlier walks of an account tell about the next ones: how stale each slice is, what it will cost, and how deep
// the changes of archives were.
import { type RawBuilder, sql } from 'kysely';
import { groupBy } from '../../core/group-by.ts';
import { anyOf, type Executor } from '../../db/database.ts';
import type { Scope } from './slices.ts';

/** Older slices are not read: a scope that was not walked for so long counts as never synced. */
const memoryDays = 100;
const mostFullWalks = 12;

/** One published full walk of an archive. */
export interface FullWalk {
  readonly runDate: string;
  readonly pages: number;
  readonly records: number;
  /** The deepest page with a new or changed record; 0: none; null: nothing to compare with. */
  readonly depth: number | null;
  /** Records that walks from the head had missed, or would have. */
  readonly late: number;
  readonly keyConflicts: number;
}

export interface WalkHistory extends Scope {
  /** Newest run date that is published. */
  readonly lastRunDate: string | undefined;
  /** Newest run date on which an attempt ended by itself: published, failed or unavailable. */
  readonly triedRunDate: string | undefined;
  /** Oldest run date that it was planned for. */
  readonly plannedRunDate: string;
  /** Pages and records of the newest published walk. */
  readonly pages: number;
  readonly records: number;
  /** Pages of the newest attempt since then that a budget or a stop ended; 0: none. */
  readonly unfinishedPages: number;
  /** Newest first; archives only. */
  readonly fullWalks: readonly FullWalk[];
  /** Newest first; only of streams whose records have details of their own. */
  readonly changes?: readonly WalkChanges[];
}

/** What one published walk brought. */
export interface WalkChanges {
  readonly runDate: string;
  /** New and changed records. */
  readonly fresh: number;
}

/**
 * Every scope of an account that was planned before a run date or on it.
 * @param detailed streams whose records have details of their own
 */
export async function walkHistory(
  db: Executor,
  account: string,
  runDate: string,
  archives: readonly string[],
  detailed: readonly string[] = [],
): Promise<WalkHistory[]> {
  const recent = sql<boolean>`account = ${account} and run_date > ${runDate}::date - ${memoryDays}::integer`;
  const scopes = await sql<HistoryRow>`
    select stream, account, client_id as "clientId",
      max(run_date) filter (where completed_at is not null) as "lastRunDate",
      max(run_date) filter (where walked_at is not null) as "triedRunDate",
      min(run_date) as "plannedRunDate",
      coalesce((array_agg(pages order by run_date desc) filter (where completed_at is not null))[1], 0) as pages,
      coalesce((array_agg(records order by run_date desc) filter (where completed_at is not null))[1], 0) as records,
      -- Of an unfinished walk of this very run date the pages themselves are the measure.
      coalesce((array_agg(case when completed_at is null and run_date < ${runDate}::date then pages else 0 end
        order by run_date desc) filter (where pages > 0 or completed_at is not null))[1], 0) as "unfinishedPages"
    from sync.slice where ${recent}
    group by stream, account, client_id`.execute(db);
  const fullWalks = await readFullWalks(db, recent, archives);
  const changes = await readChanges(db, recent, detailed);
  return scopes.rows.map((row) => ({
    ...row,
    ...(detailed.includes(row.stream) ? { changes: changes.get(keyOf(row)) ?? [] } : {}),
    lastRunDate: row.lastRunDate ?? undefined,
    triedRunDate: row.triedRunDate ?? undefined,
    fullWalks: fullWalks.get(keyOf(row)) ?? [],
  }));
}

interface HistoryRow {
  stream: string;
  account: string;
  clientId: string;
  lastRunDate: string | null;
  triedRunDate: string | null;
  plannedRunDate: string;
  pages: number;
  records: number;
  unfinishedPages: number;
}

async function readFullWalks(
  db: Executor,
  recent: RawBuilder<boolean>,
  archives: readonly string[],
): Promise<ReadonlyMap<string, readonly FullWalk[]>> {
  const { rows } = await sql<FullWalk & { stream: string; clientId: string }>`
    select stream, client_id as "clientId", run_date as "runDate", pages, records, depth, late,
      key_conflicts as "keyConflicts"
    from (
      select *, row_number() over (partition by stream, client_id order by run_date desc) as age
      from sync.slice
      where ${recent} and stream = any(${[...archives]}::text[]) and walk = 'full' and completed_at is not null
    ) as s
    where age <= ${mostFullWalks}
    order by stream, client_id, run_date desc`.execute(db);
  return groupBy(rows, keyOf);
}

async function readChanges(
  db: Executor,
  recent: RawBuilder<boolean>,
  detailed: readonly string[],
): Promise<ReadonlyMap<string, readonly WalkChanges[]>> {
  const rows = await db
    .selectFrom('sync.slice')
    .select((eb) => [
      'stream',
      'client_id as clientId',
      'run_date as runDate',
      eb('inserted', '+', eb.ref('changed')).as('fresh'),
    ])
    .where(recent)
    .where('stream', '=', anyOf(detailed))
    .where('completed_at', 'is not', null)
    .orderBy('run_date', 'desc')
    .execute();
  return groupBy(rows, keyOf);
}

function keyOf(scope: { stream: string; clientId: string }): string {
  return JSON.stringify([scope.stream, scope.clientId]);
}
