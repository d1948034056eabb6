// Writes that are not settled, and those that were refused: what somebody may have to see to.
import { sql } from 'kysely';
import { accessStatuses } from '../../api/post.ts';
import type { Executor } from '../../db/database.ts';
import type { WriteStatus } from './write-book.ts';
import type { WriteKind } from './write-limits.ts';

export interface OpenWrites {
  readonly account: string;
  readonly kind: WriteKind;
  /** planned: also what was refused for a limit, the key or the address, which is sent again by itself. */
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

const passing = [...accessStatuses, 429];

/** By account, kind, status and log, what needs somebody first. Those that somebody decided to leave as they are do not count. */
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
