// Reads sync.write for people: what is used of the limits, what is open, the list, and counts by status.
import { sql } from 'kysely';
import { accessStatuses } from '../../api/post.ts';
import type { Config } from '../../config/config.ts';
import { writeLimits } from '../../core/budget.ts';
import type { Executor } from '../../db/database.ts';
import { dayRenewal } from '../../store/budget/ledger.ts';
import { type WriteKind, type WriteStatus, writeKinds } from './write-states.ts';

export interface WriteUse {
  readonly account: string;
  readonly kind: WriteKind;
  /** Uploads in the last 60 minutes; questions and measurements of the day. */
  readonly used: number;
  readonly most: number;
  /** Time at which there is more room; null if nothing of the hour is used. */
  readonly renews_at: Date | null;
  /** Time at which one more may be sent; null for now. */
  readonly opens_at: Date | null;
  /** Until then the service refuses this kind. */
  readonly closed_until: Date | null;
  readonly closed_reason: string | null;
}

/** Reads the use of each kind, for the accounts that ever planned a write. */
export async function readWriteUses(
  db: Executor,
  accounts: readonly string[],
  config: Pick<Config, 'dayRenewsAtMinutes' | 'learnDayRenewal'>,
): Promise<readonly WriteUse[]> {
  const most = writeKinds.map((kind) => writeLimits[kind]);
  const { rows } = await sql<WriteUse>`
    select n.account, k.kind, k.most, u.used, u.renews_at, c.until as closed_until, c.reason as closed_reason,
      sync.write_opens_at(n.account, k.kind, 1, k.most, r.renews) as opens_at
    from unnest(${accounts}::text[]) with ordinality as n (account, place)
    cross join unnest(${writeKinds}::text[], ${most}::integer[]) with ordinality as k (kind, most, place)
    cross join lateral (
      select case when k.kind <> 'logs' then ${dayRenewal(sql`n.account`, config)} end as renews
    ) as r
    cross join lateral sync.writes_used(n.account, k.kind, r.renews) as u
    left join sync.budget_write_closed as c on c.account = n.account and c.kind = k.kind and c.until > now()
    where exists (select from sync.write as w where w.account = n.account)
    order by n.place, k.place`.execute(db);
  return rows;
}

/** Writes that are not settled or were refused: somebody may have to look at them. */
export interface OpenWrites {
  readonly account: string;
  readonly kind: WriteKind;
  /** `planned` includes writes refused for a limit, the key or the address; they are sent again without a decision. */
  readonly status: Exclude<WriteStatus, 'accepted' | 'empty'>;
  /** File name of a log; null if there is no file. */
  readonly source: string | null;
  /** 0 for questions that are in no request yet. */
  readonly writes: number;
  readonly amount: number;
  readonly since: Date;
  readonly first_id: number | null;
  readonly http_status: number | null;
}

const passing = [...accessStatuses, 429];

/**
 * Groups open writes by account, kind, status and log, urgent ones first. Leaves out writes that somebody decided to
 * leave.
 */
export async function readOpenWrites(db: Executor): Promise<readonly OpenWrites[]> {
  const { rows } = await sql<OpenWrites>`
    select account, kind, status, source, count(id)::integer as writes, sum(amount)::bigint as amount,
      min(planned_at) as since, min(id) as first_id,
      (array_agg(http_status order by sent_at desc nulls last, id desc))[1] as http_status
    from (
      select w.account, w.kind, s.name as source, w.id, w.amount, w.planned_at, w.sent_at, w.http_status,
        -- The next push sends it again by itself.
        case when w.status = 'refused' and (w.http_status < 400 or w.http_status = any(${passing}::integer[])) then 'planned'
          else w.status end as status
      from sync.write as w
      left join sync.write_source as s on s.account = w.account and s.id = w.source_id
      where w.status in ('planned', 'sending', 'unknown', 'refused') and w.skipped_at is null
      union all
      select q.account, 'questions', null, null, count(*), min(q.planned_at), null, null, 'planned'
      from sync.question as q
      where q.text is not null and q.write_id is null
      group by q.account
    ) as w
    group by account, kind, status, source
    order by array_position(array['unknown', 'refused', 'planned', 'sending'], status), since, account, kind, source`.execute(
    db,
  );
  return rows;
}

export interface WriteLine {
  readonly account: string;
  readonly id: number;
  readonly kind: WriteKind;
  readonly status: WriteStatus;
  readonly source: string | null;
  readonly from_byte: number | null;
  readonly to_byte: number | null;
  readonly subject: string | null;
  readonly amount: number;
  readonly body_bytes: number | null;
  readonly attempts: number;
  readonly http_status: number | null;
  readonly job: string | null;
  readonly planned_at: Date;
  readonly sent_at: Date | null;
  readonly ended_at: Date | null;
  readonly skipped_at: Date | null;
  readonly counts: Readonly<Record<string, number>> | null;
  readonly answer: string | null;
}

export interface WriteTally {
  readonly account: string;
  readonly kind: WriteKind;
  readonly status: WriteStatus;
  readonly writes: number;
}

/** Lists the newest first. @param which.id selects the write with this number of each account */
export async function listWrites(
  db: Executor,
  which: { readonly account: string | undefined; readonly id?: number; readonly limit?: number },
): Promise<readonly WriteLine[]> {
  const { account = null, id = null, limit = null } = which;
  const { rows } = await sql<WriteLine>`
    select w.account, w.id, w.kind, w.status, s.name as source, w.from_byte, w.to_byte, w.subject, w.amount, w.body_bytes,
      w.attempts, w.http_status, w.job, w.planned_at, w.sent_at, w.ended_at, w.skipped_at, w.counts, w.answer
    from sync.write as w left join sync.write_source as s on s.account = w.account and s.id = w.source_id
    where (${account}::text is null or w.account = ${account}) and (${id}::bigint is null or w.id = ${id})
    order by coalesce(w.sent_at, w.planned_at) desc, w.id desc, w.account limit ${limit}`.execute(db);
  return rows;
}

export async function tallyWrites(db: Executor): Promise<readonly WriteTally[]> {
  const { rows } = await sql<WriteTally>`
    select w.account, w.kind, w.status, count(*)::integer as writes
    from sync.write as w group by w.account, w.kind, w.status order by w.account, w.kind, w.status`.execute(
    db,
  );
  return rows;
}
