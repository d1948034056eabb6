// Reads from an account's earlier walks what to expect of the next: how stale each slice is, what it will cost, and how
// deep the changes of archives were.
import { type RawBuilder, sql } from 'kysely';
import { minutesBetweenLooks, type ValidationRule } from '../../core/errors.ts';
import { groupBy } from '../../core/group-by.ts';
import type { RunDate } from '../../core/run-date.ts';
import { plural } from '../../core/text.ts';
import { anyOf, type Executor, type SliceStatus, type WalkKind } from '../../db/database.ts';
import type { Scope, SliceKey, VersionScope } from './slices.ts';

/** Progress of the slices of a run date, read without planning or claiming any. */
export interface SliceState extends Scope {
  readonly status: SliceStatus;
  readonly walk: WalkKind;
  /** The rule that its newest walk broke, and how many walks of this run date broke one. */
  readonly failedRule: ValidationRule | null;
  readonly failedValidations: number;
  /** Time from which a second walk shows whether a loss is real; null if no loss is open, or that time has come. */
  readonly looksAgainAt: Date | null;
  readonly updatedAt: Date;
  readonly claimed: boolean;
  readonly storedPages: number;
  /** The last stored page names no next one: only the publish is left. */
  readonly atEnd: boolean;
}

export async function readSliceStates(
  db: Executor,
  account: string,
  runDate: RunDate,
): Promise<SliceState[]> {
  const result = await sql<SliceState>`
    select s.stream, s.account, s.client_id as "clientId", s.status, s.walk, s.failed_rule as "failedRule", s.failed_validations as "failedValidations",
      case when s.status = 'failed' and s.failed_rule = 'vanished' and s.failed_validations = 1
        and l.at > clock_timestamp() then l.at end as "looksAgainAt", s.updated_at as "updatedAt",
      s.status = 'walking' and coalesce(sync.run_is_alive(s.account, s.run_id), false) as claimed,
      coalesce(p.pages, 0) as "storedPages", coalesce(p.at_end, false) as "atEnd"
    from sync.slice s
    cross join lateral (select s.walked_at + make_interval(mins => ${minutesBetweenLooks}) as at) l
    left join lateral (
      select count(*) as pages, (array_agg(next_cursor order by page_no desc))[1] is null as at_end
      from sync.page where account = s.account and slice_id = s.id and not is_reread
      having count(*) > 0
    ) p on true
    where s.account = ${account} and s.run_date = ${runDate}::date`.execute(db);
  return result.rows;
}

/** Undefined if the slice is gone: its client was forgotten, or a server took over that did not have it. */
export async function readStatus(
  db: Executor,
  { account, sliceId, stream, clientId, runDate }: SliceKey & VersionScope,
): Promise<SliceStatus | undefined> {
  const row = await db
    .selectFrom('sync.slice')
    .select('status')
    .where('account', '=', account)
    .where('id', '=', sliceId)
    .where('stream', '=', stream)
    .where('client_id', '=', clientId)
    .where('run_date', '=', runDate)
    .executeTakeFirst();
  return row?.status;
}

/** Kind of stored pages: a chain to the last page, only the first pages, or one record each. */
export type Pages = 'chain' | 'incremental' | 'single';

export interface StoredPages {
  readonly count: number;
  readonly last: number;
  readonly ends: number;
  readonly atEnd: boolean;
}

/** A walk that is not whole must never be published: missing records would look as if they were gone. */
export function isWholeWalk(pages: Pages, { count, last, ends, atEnd }: StoredPages): boolean {
  if (count !== last) return false;
  switch (pages) {
    case 'chain':
      return atEnd && ends === 1;
    case 'incremental':
      return count > 0 && ends === 0;
    case 'single':
      return true;
  }
}

/** Says what is wrong with a walk that is not whole, and what to do. */
export function gapText(pages: Pages, { count, last }: StoredPages): string {
  const expected = pages === 'chain' ? 'every page up to the last' : 'its pages without a gap';
  return (
    `Expected ${expected} to be stored, got ${plural(count, 'page')} up to number ${last}; ` +
    'nothing was published. Run: airank sync --again'
  );
}

/** Older slices are not read: a scope not walked for so long counts as never synced. */
const memoryDays = 100;
const mostFullRefreshes = 12;

/** One published full refresh of an archive. */
export interface FullRefresh {
  readonly runDate: string;
  readonly pages: number;
  readonly records: number;
  /** Deepest page with a new or changed record; 0 if none, null if there was nothing to compare with. */
  readonly depth: number | null;
  /** Records that incremental refreshes missed, or would have missed. */
  readonly late: number;
  readonly keyConflicts: number;
}

export interface WalkHistory extends Scope {
  readonly lastRunDate: string | undefined;
  /** Newest run date on which an attempt ended by itself: published, failed or unavailable. */
  readonly triedRunDate: string | undefined;
  readonly plannedRunDate: string;
  readonly pages: number;
  readonly records: number;
  /** Pages of the newest attempt since then that ran out of budget or was stopped; 0 if none. */
  readonly unfinishedPages: number;
  readonly fullRefreshes: readonly FullRefresh[];
  readonly changes?: readonly WalkChanges[];
}

interface WalkChanges {
  readonly runDate: string;
  readonly fresh: number;
}

/**
 * Reads every scope of an account planned on or before a run date.
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
  const scopes = sql<HistoryRow>`
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
  const [{ rows }, fullRefreshes, changes] = await Promise.all([
    scopes,
    readFullRefreshes(db, recent, archives),
    readChanges(db, recent, detailed),
  ]);
  return rows.map((row) => ({
    ...row,
    ...(detailed.includes(row.stream) ? { changes: changes.get(keyOf(row)) ?? [] } : {}),
    lastRunDate: row.lastRunDate ?? undefined,
    triedRunDate: row.triedRunDate ?? undefined,
    fullRefreshes: fullRefreshes.get(keyOf(row)) ?? [],
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

async function readFullRefreshes(
  db: Executor,
  recent: RawBuilder<boolean>,
  archives: readonly string[],
): Promise<ReadonlyMap<string, readonly FullRefresh[]>> {
  const { rows } = await sql<FullRefresh & { stream: string; clientId: string }>`
    select stream, client_id as "clientId", run_date as "runDate", pages, records, depth, late,
      key_conflicts as "keyConflicts"
    from (
      select *, row_number() over (partition by stream, client_id order by run_date desc) as age
      from sync.slice
      where ${recent} and stream = any(${[...archives]}::text[]) and walk = 'full' and completed_at is not null
    ) as s
    where age <= ${mostFullRefreshes}
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
