// Ranges of logs in sync.write. The ranges of a source follow each other without a gap, so the end of the last one is how
// far the source was read.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { type OpenStatus, openStatuses } from './write-states.ts';

/** Lines by what became of them; `read` is the sum of the others to `blank`. */
export interface RangeCounts {
  readonly read: number;
  readonly sent: number;
  readonly unreadable: number;
  readonly too_old: number;
  readonly not_bots: number;
  readonly blank: number;
  readonly by_bot: Readonly<Record<string, number>>;
  readonly by_status: Readonly<Record<string, number>>;
  readonly by_day: Readonly<Record<string, number>>;
}

/** Visits of a bot that have host, day and status in common. */
export interface VisitTally {
  /** '' where the line names none. */
  readonly host: string;
  readonly bot: string;
  /** In UTC, as 2026-04-03. */
  readonly day: string;
  readonly status: number;
  readonly visits: number;
}

export const noCounts: RangeCounts = {
  read: 0,
  sent: 0,
  unreadable: 0,
  too_old: 0,
  not_bots: 0,
  blank: 0,
  by_bot: {},
  by_status: {},
  by_day: {},
};

export function addCounts(a: RangeCounts, b: RangeCounts): RangeCounts {
  return {
    read: a.read + b.read,
    sent: a.sent + b.sent,
    unreadable: a.unreadable + b.unreadable,
    too_old: a.too_old + b.too_old,
    not_bots: a.not_bots + b.not_bots,
    blank: a.blank + b.blank,
    by_bot: addTallies(a.by_bot, b.by_bot),
    by_status: addTallies(a.by_status, b.by_status),
    by_day: addTallies(a.by_day, b.by_day),
  };
}

function addTallies(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const sum: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

/** A range of a log with what is sent of it. */
export interface LogRange {
  readonly fromByte: number;
  readonly toByte: number;
  /** SHA-256 of the end of the range, in hex; undefined: it was not at hand. */
  readonly tailHash: string | undefined;
  /** SHA-256 of the body, in hex; undefined: there is none yet. */
  readonly bodyHash: string | undefined;
  readonly bodyBytes: number;
  /** Lines that are sent; 0: there is nothing to send. */
  readonly lines: number;
  /** Version of what chose and shaped them. */
  readonly filter: string;
  readonly counts: RangeCounts;
  /** Of bots, in the lines that are sent. They are counted when the service has taken these. */
  readonly visits: readonly VisitTally[];
}

export interface OpenRange {
  readonly id: number;
  readonly fromByte: number;
  readonly toByte: number;
  readonly tailHash: string | undefined;
  readonly status: OpenStatus;
  readonly httpStatus: number | undefined;
  readonly lines: number;
  readonly plannedAt: Date;
}

/** Of one source, in the order of the log: what is not settled, or was refused. */
export async function openRanges(
  db: Executor,
  account: string,
  sourceId: number,
): Promise<readonly OpenRange[]> {
  const rows = await db
    .selectFrom('sync.write')
    .select(['id', 'from_byte', 'to_byte', 'tail_hash', 'status', 'http_status', 'amount', 'planned_at'])
    .where('account', '=', account)
    .where('source_id', '=', sourceId)
    .where('status', 'in', openStatuses)
    .where('skipped_at', 'is', null)
    .orderBy('from_byte')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    fromByte: row.from_byte ?? 0,
    toByte: row.to_byte ?? 0,
    tailHash: row.tail_hash?.toString('hex'),
    status: row.status as OpenRange['status'],
    httpStatus: row.http_status ?? undefined,
    lines: row.amount,
    plannedAt: row.planned_at,
  }));
}

/** Commits it before anything of it is sent. A range without lines to send lengthens the one before, where that has none either. */
export async function planRange(
  db: Executor,
  { account, sourceId, job }: { account: string; sourceId: number; job: string | undefined },
  range: LogRange,
  at: Date,
): Promise<number> {
  if (range.lines === 0) {
    const longer = await lengthenEmpty(db, account, sourceId, range);
    if (longer !== undefined) return longer;
  }
  const { id } = await db
    .insertInto('sync.write')
    .values({
      account,
      kind: 'logs',
      source_id: sourceId,
      job: job ?? null,
      planned_at: at,
      ...columnsOf(range),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** In place of one that is open: the same lines in another body. Undefined: somebody has left it meanwhile. */
export async function replaceRange(
  db: Executor,
  { account, id }: { account: string; id: number },
  range: LogRange,
) {
  return await db
    .updateTable('sync.write')
    .set({ ...columnsOf(range), http_status: null, answer: null, ended_at: null })
    .where('account', '=', account)
    .where('id', '=', id)
    .where('status', 'in', openStatuses)
    .where('skipped_at', 'is', null)
    .returning(['source_id', 'job', 'planned_at'])
    .executeTakeFirst();
}

/**
 * Two in place of one that is open, the first under its number.
 * @returns the number of the second; undefined: somebody has left it meanwhile
 */
export async function splitRange(
  db: Executor,
  { account, id }: { account: string; id: number },
  [first, second]: readonly [LogRange, LogRange],
): Promise<number | undefined> {
  return await db.transaction().execute(async (tx) => {
    const replaced = await replaceRange(tx, { account, id }, first);
    if (replaced === undefined) return undefined;
    const { source_id, job, planned_at } = replaced;
    const context = { account, sourceId: source_id ?? 0, job: job ?? undefined };
    return await planRange(tx, context, second, planned_at);
  });
}

async function lengthenEmpty(
  db: Executor,
  account: string,
  sourceId: number,
  range: LogRange,
): Promise<number | undefined> {
  const last = await db
    .selectFrom('sync.write')
    .select(['id', 'counts'])
    .where('account', '=', account)
    .where('source_id', '=', sourceId)
    .where('to_byte', '=', range.fromByte)
    .where('status', '=', 'empty')
    .executeTakeFirst();
  if (last === undefined) return undefined;
  await db
    .updateTable('sync.write')
    .set({
      to_byte: range.toByte,
      tail_hash: hexBuffer(range.tailHash),
      counts: JSON.stringify(addCounts(last.counts as RangeCounts, range.counts)),
      ended_at: sql`clock_timestamp()`,
    })
    .where('account', '=', account)
    .where('id', '=', last.id)
    .execute();
  return last.id;
}

function columnsOf(range: LogRange) {
  return {
    status: range.lines === 0 ? ('empty' as const) : ('planned' as const),
    from_byte: range.fromByte,
    to_byte: range.toByte,
    tail_hash: hexBuffer(range.tailHash),
    body_hash: hexBuffer(range.lines === 0 ? undefined : range.bodyHash),
    body_bytes: range.bodyBytes,
    amount: range.lines,
    filter: range.filter,
    counts: JSON.stringify(range.counts),
    visits: range.visits.length === 0 ? null : JSON.stringify(range.visits),
  };
}

function hexBuffer(hex: string | undefined): Buffer | null {
  return hex === undefined ? null : Buffer.from(hex, 'hex');
}

/** Uploads that wait for a log that was not given, by the name of the log. */
export async function openElsewhere(
  db: Executor,
  account: string,
  given: readonly number[],
): Promise<readonly { readonly name: string; readonly uploads: number }[]> {
  const rows = await db
    .selectFrom('sync.write as w')
    .innerJoin('sync.write_source as s', (join) =>
      join.onRef('s.account', '=', 'w.account').onRef('s.id', '=', 'w.source_id'),
    )
    .where('w.account', '=', account)
    .where('w.status', 'in', openStatuses)
    .where('w.skipped_at', 'is', null)
    .where(sql<boolean>`s.id <> all (${[...given]}::bigint[])`)
    .select(['s.name'])
    .select(({ fn }) => fn.countAll<number>().as('uploads'))
    .groupBy('s.name')
    .orderBy('s.name')
    .execute();
  return rows.map(({ name, uploads }) => ({ name, uploads: Number(uploads) }));
}
