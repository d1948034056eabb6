// What was sent, for people: a page of sync.write, what all of it comes to, and one write with everything.
import { type RawBuilder, sql } from 'kysely';
import type { RunDate } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import type { WriteStatus } from './write-book.ts';
import type { WriteKind } from './write-limits.ts';

export interface WriteFilter {
  readonly account?: string | undefined;
  readonly kind?: WriteKind | undefined;
  readonly status?: WriteStatus | undefined;
  /** Planned on this day or later. */
  readonly since?: RunDate | undefined;
  /** Of that day. */
  readonly timeZone: string;
}

export interface WriteLine {
  readonly account: string;
  readonly id: number;
  readonly kind: WriteKind;
  readonly status: WriteStatus;
  /** File name of a log. */
  readonly source: string | null;
  readonly from_byte: number | null;
  readonly to_byte: number | null;
  /** The business that is measured. */
  readonly subject: string | null;
  /** Lines, questions or measurements in it. */
  readonly amount: number;
  readonly body_bytes: number | null;
  readonly attempts: number;
  readonly http_status: number | null;
  /** Null: by hand. */
  readonly job: string | null;
  readonly planned_at: Date;
  readonly sent_at: Date | null;
  readonly ended_at: Date | null;
  /** When somebody decided to leave it as it is. */
  readonly skipped_at: Date | null;
}

export interface WriteTally {
  readonly account: string;
  readonly kind: WriteKind;
  readonly status: WriteStatus;
  readonly writes: number;
  readonly amount: number;
}

export interface WriteDetail extends WriteLine {
  readonly filter: string | null;
  readonly counts: unknown;
  /** The beginning of the service's answer, or what went wrong. */
  readonly answer: string | null;
}

const columns = sql`w.account, w.id, w.kind, w.status, s.name as source, w.from_byte, w.to_byte, w.subject, w.amount, w.body_bytes,
  w.attempts, w.http_status, w.job, w.planned_at, w.sent_at, w.ended_at, w.skipped_at`;
const tables = sql`sync.write as w left join sync.write_source as s on s.account = w.account and s.id = w.source_id`;

/** The newest first. */
export async function listWrites(
  db: Executor,
  filter: WriteFilter,
  limit: number,
): Promise<readonly WriteLine[]> {
  const { rows } = await sql<WriteLine>`
    select ${columns} from ${tables} where ${fits(filter)}
    order by coalesce(w.sent_at, w.planned_at) desc, w.id desc limit ${limit}`.execute(db);
  return rows;
}

/** By account, kind and status. */
export async function tallyWrites(db: Executor, filter: WriteFilter): Promise<readonly WriteTally[]> {
  const { rows } = await sql<WriteTally>`
    select w.account, w.kind, w.status, count(*)::integer as writes, sum(w.amount)::bigint as amount
    from sync.write as w where ${fits(filter)}
    group by w.account, w.kind, w.status order by w.account, w.kind, w.status`.execute(db);
  return rows;
}

/** One of each account that has the number. */
export async function showWrite(
  db: Executor,
  id: number,
  account: string | undefined,
): Promise<readonly WriteDetail[]> {
  const { rows } = await sql<WriteDetail>`
    select ${columns}, w.filter, w.counts, w.answer from ${tables}
    where w.id = ${id} and (${account ?? null}::text is null or w.account = ${account ?? null})
    order by w.account`.execute(db);
  return rows;
}

function fits({ account, kind, status, since, timeZone }: WriteFilter): RawBuilder<unknown> {
  return sql`(${account ?? null}::text is null or w.account = ${account ?? null})
    and (${kind ?? null}::text is null or w.kind = ${kind ?? null})
    and (${status ?? null}::text is null or w.status = ${status ?? null})
    and (${since ?? null}::date is null or w.planned_at >= ${since ?? null}::date::timestamp at time zone ${timeZone})`;
}
