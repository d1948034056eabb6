// How far the slices of a run date are, read without planning or claiming any.
import { sql } from 'kysely';
import type { ValidationRule } from '../../core/errors.ts';
import type { RunDate } from '../../core/run-date.ts';
import type { Executor, SliceStatus, WalkKind } from '../../db/database.ts';
import type { Scope, SliceKey } from './slices.ts';

export interface SliceState extends Scope {
  readonly status: SliceStatus;
  readonly walk: WalkKind;
  /** Why its newest walk was not confirmed, and how many of this run date were not. */
  readonly doubt: ValidationRule | null;
  readonly doubtedWalks: number;
  /** When its status or its pages changed last. */
  readonly updatedAt: Date;
  /** A living run walks it. */
  readonly claimed: boolean;
  /** Pages of an unfinished walk that are stored. */
  readonly storedPages: number;
  /** The last stored page has no next one: only the publish is left. */
  readonly atEnd: boolean;
}

/** The slices of an account and run date that exist by now. */
export async function readSliceStates(
  db: Executor,
  account: string,
  runDate: RunDate,
): Promise<SliceState[]> {
  const result = await sql<SliceState>`
    select s.stream, s.account, s.client_id as "clientId", s.status, s.walk, s.doubt, s.doubted_walks as "doubtedWalks", s.updated_at as "updatedAt",
      s.status = 'walking' and coalesce(sync.run_is_alive(s.account, s.run_id), false) as claimed,
      coalesce(p.pages, 0) as "storedPages", coalesce(p.at_end, false) as "atEnd"
    from sync.slice s
    left join lateral (
      select count(*) as pages, (array_agg(next_cursor order by page_no desc))[1] is null as at_end
      from sync.page where account = s.account and slice_id = s.id and not is_reread
      having count(*) > 0
    ) p on true
    where s.account = ${account} and s.run_date = ${runDate}::date`.execute(db);
  return result.rows;
}

/** Undefined: the slice is gone, because its client was forgotten. */
export async function readStatus(
  db: Executor,
  { account, sliceId }: SliceKey,
): Promise<SliceStatus | undefined> {
  const row = await db
    .selectFrom('sync.slice')
    .select('status')
    .where('account', '=', account)
    .where('id', '=', sliceId)
    .executeTakeFirst();
  return row?.status;
}
