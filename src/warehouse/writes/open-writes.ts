// Writes that are not settled, and those that were refused: what somebody may have to see to.
import { sql } from 'kysely';
import type { Executor } from '../connection/database.ts';
import type { WriteStatus } from './write-book.ts';
import type { WriteKind } from './write-limits.ts';

export interface OpenWrites {
  readonly account: string;
  readonly kind: WriteKind;
  readonly status: Exclude<WriteStatus, 'accepted' | 'empty'>;
  /** File name of a log; null: of no file. */
  readonly source: string | null;
  /** 0: questions that are in no request yet. */
  readonly writes: number;
  /** Lines, questions or measurements in them. */
  readonly amount: number;
  /** When the oldest of them was planned. */
  readonly since: Date;
  /** The lowest number of them; null: there is none yet. */
  readonly first_id: number | null;
  /** Of the newest answer. */
  readonly http_status: number | null;
}

/** By account, kind, status and log. Those that somebody decided to leave as they are do not count. */
export async function readOpenWrites(db: Executor): Promise<readonly OpenWrites[]> {
  const { rows } = await sql<OpenWrites>`
    select account, kind, status, source, count(id)::integer as writes, sum(amount)::bigint as amount,
      min(planned_at) as since, min(id) as first_id,
      (array_agg(http_status order by sent_at desc nulls last, id desc))[1] as http_status
    from (
      select w.account, w.kind, w.status, s.name as source, w.id, w.amount, w.planned_at, w.sent_at, w.http_status
      from sync.write as w
      left join sync.write_source as s on s.account = w.account and s.id = w.source_id
      where w.status in ('planned', 'sending', 'unknown', 'refused') and w.skipped_at is null
      union all
      select q.account, 'questions', 'planned', null, null, count(*), min(q.planned_at), null, null
      from sync.question as q
      where q.text is not null and q.write_id is null
      group by q.account
    ) as w
    group by account, kind, status, source
    order by account, kind, array_position(array['unknown', 'refused', 'sending', 'planned'], status), since, source`.execute(
    db,
  );
  return rows;
}
