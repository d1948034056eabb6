// Logs that were read (sync.write_source) and their ranges in sync.write. The ranges of a source follow each other
// without a gap, so the end of the last one tells how far it was read.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';
import { type OpenStatus, openStatuses } from './write-states.ts';

export interface LineCounts {
  readonly read: number;
  readonly sent: number;
  readonly not_bots: number;
  readonly too_old: number;
  /** Crawlers' lines without a client address. */
  readonly no_address: number;
  /** Includes lines without a user agent. */
  readonly unreadable: number;
  readonly too_long: number;
  readonly blank: number;
  readonly holes: number;
}

export const noCounts: LineCounts = {
  ...{
    read: 0,
    sent: 0,
    not_bots: 0,
    too_old: 0,
    no_address: 0,
    unreadable: 0,
    too_long: 0,
    blank: 0,
    holes: 0,
  },
};

export function addCounts(a: LineCounts, b: LineCounts): LineCounts {
  const names = Object.keys(noCounts) as (keyof LineCounts)[];
  return Object.fromEntries(names.map((name) => [name, a[name] + (b[name] ?? 0)])) as unknown as LineCounts;
}

export interface VisitTally {
  readonly host: string;
  readonly bot: string;
  /** UTC, as 2026-04-03. */
  readonly day: string;
  readonly status: number;
  readonly visits: number;
}

export interface LogRange {
  readonly fromByte: number;
  readonly toByte: number;
  /** SHA-256 of the bytes before its end, in hex. */
  readonly tailHash: string;
  readonly bodyBytes: number;
  readonly lines: number;
  readonly counts: LineCounts;
  /** Visits in the lines sent; counted once the service has taken them. */
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

export interface SeenSource {
  readonly name: string;
  readonly device: string | null;
  readonly inode: string | null;
  readonly blockBytes: number;
  readonly blockHash: string;
}

interface KnownSource {
  readonly id: number;
  /** Offset in the decompressed content up to which every line is in a row of sync.write. */
  readonly position: number;
  /** SHA-256 of the bytes before `position`; undefined if nothing was read. */
  readonly tailHash: string | undefined;
}

export async function blockLengths(db: Executor, account: string): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('sync.write_source')
    .select('block_bytes')
    .distinct()
    .where('account', '=', account)
    .execute();
  return rows.map(({ block_bytes }) => block_bytes);
}

/** Excludes ranges that were planned and never sent: the next push plans them again in their place. */
const isPlace = sql<boolean>`not (w.status = 'planned' and w.attempts = 0)`;

/** Finds logs that begin with one of these blocks, last seen first. */
export async function findSources(
  db: Executor,
  account: string,
  blocks: readonly { readonly bytes: number; readonly hash: string }[],
): Promise<readonly KnownSource[]> {
  const lengths = blocks.map(({ bytes }) => bytes);
  const hashes = blocks.map(({ hash }) => Buffer.from(hash, 'hex'));
  const { rows } = await sql<{ id: number; to_byte: number | null; tail_hash: Buffer | null }>`
    select s.id, p.to_byte, p.tail_hash
    from sync.write_source as s
    left join lateral (
      select w.to_byte, w.tail_hash from sync.write as w
      where w.account = s.account and w.source_id = s.id and ${isPlace}
      order by w.to_byte desc limit 1
    ) as p on true
    where s.account = ${account}
      and (s.block_bytes, s.block_hash) in (select * from unnest(${lengths}::integer[], ${hashes}::bytea[]))
    order by s.last_seen desc, s.id desc`.execute(db);
  return rows.map(({ id, to_byte, tail_hash }) => ({
    id,
    position: to_byte ?? 0,
    tailHash: tail_hash?.toString('hex'),
  }));
}

/** True if more was read of a log that was the same file under the same name. */
export async function wasLonger(
  db: Executor,
  account: string,
  { name, device, inode }: SeenSource,
  bytes: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from sync.write as w
    join sync.write_source as s on s.account = w.account and s.id = w.source_id
    where s.account = ${account} and s.device = ${device} and s.inode = ${inode} and s.name = ${name}
      and w.to_byte > ${bytes}
    limit 1`.execute(db);
  return rows.length > 0;
}

export async function addSource(db: Executor, account: string, source: SeenSource): Promise<number> {
  const { id } = await db
    .insertInto('sync.write_source')
    .values({ account, ...seenColumns(source) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Notes a new name, place or longer first block of a log. A pipe has no place. */
export async function seeSource(
  db: Executor,
  account: string,
  id: number,
  source: SeenSource,
): Promise<void> {
  const { block_bytes, block_hash, ...place } = seenColumns(source);
  await db
    .updateTable('sync.write_source')
    .set({ block_bytes, block_hash, ...(source.inode !== null && place), last_seen: new Date() })
    .where('account', '=', account)
    .where('id', '=', id)
    .execute();
}

function seenColumns({ name, device, inode, blockBytes, blockHash }: SeenSource) {
  return { name, device, inode, block_bytes: blockBytes, block_hash: Buffer.from(blockHash, 'hex') };
}

/** Reads the ranges of a source that are unsettled or refused, in the order of the log. */
export async function openRanges(
  db: Executor,
  account: string,
  sourceId: number,
): Promise<readonly OpenRange[]> {
  const rows = await db
    .selectFrom('sync.write as w')
    .select(['id', 'from_byte', 'to_byte', 'tail_hash', 'status', 'http_status', 'amount', 'planned_at'])
    .where('account', '=', account)
    .where('source_id', '=', sourceId)
    .where('status', 'in', openStatuses)
    .where('skipped_at', 'is', null)
    .where(isPlace)
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

interface RangeOf {
  readonly account: string;
  readonly sourceId: number;
  readonly job: string | undefined;
  readonly at: Date;
}

/**
 * Commits a range before any of it is sent, replacing ranges planned there and never sent. A range without lines to
 * send extends the one before, if that has none either.
 */
export async function planRange(db: Executor, of: RangeOf, range: LogRange): Promise<number> {
  const { account, sourceId, job = null, at } = of;
  if (range.lines === 0) {
    const longer = await lengthenEmpty(db, of, range);
    if (longer !== undefined) return longer;
  }
  const { id } = await db
    .insertInto('sync.write')
    .values({ account, kind: 'logs', source_id: sourceId, job, planned_at: at, ...columnsOf(range) })
    .onConflict((there) =>
      there
        .columns(['account', 'source_id', 'from_byte'])
        .where('source_id', 'is not', null)
        .doUpdateSet({ job, planned_at: at, ...columnsOf(range) })
        .where(sql<boolean>`write.status = 'planned' and write.attempts = 0`),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Plans the same range again as it reads now; false if somebody decided meanwhile to leave it. */
export async function replanRange(
  db: Executor,
  { account, id }: { account: string; id: number },
  range: LogRange,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sync.write')
    .set({ ...columnsOf(range), status: 'planned', http_status: null, answer: null, ended_at: null })
    .where('account', '=', account)
    .where('id', '=', id)
    .where('status', 'in', openStatuses)
    .where('skipped_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function lengthenEmpty(
  db: Executor,
  { account, sourceId }: RangeOf,
  range: LogRange,
): Promise<number | undefined> {
  return await db.transaction().execute(async (tx) => {
    const last = await tx
      .selectFrom('sync.write')
      .select(['id', 'counts'])
      .where('account', '=', account)
      .where('source_id', '=', sourceId)
      .where('to_byte', '=', range.fromByte)
      .where('status', '=', 'empty')
      .forUpdate()
      .executeTakeFirst();
    if (last === undefined) return undefined;
    // Removes ranges planned there and never sent: their lines belong to this range now.
    await sql`
      delete from sync.write as w where w.account = ${account} and w.source_id = ${sourceId}
        and w.from_byte = ${range.fromByte} and not ${isPlace}`.execute(tx);
    await tx
      .updateTable('sync.write')
      .set({
        to_byte: range.toByte,
        tail_hash: Buffer.from(range.tailHash, 'hex'),
        counts: JSON.stringify(addCounts(last.counts as LineCounts, range.counts)),
        ended_at: sql`clock_timestamp()`,
      })
      .where('account', '=', account)
      .where('id', '=', last.id)
      .execute();
    return last.id;
  });
}

function columnsOf({ fromByte, toByte, tailHash, bodyBytes, lines, counts, visits }: LogRange) {
  return {
    status: lines === 0 ? ('empty' as const) : ('planned' as const),
    from_byte: fromByte,
    to_byte: toByte,
    tail_hash: Buffer.from(tailHash, 'hex'),
    body_bytes: bodyBytes,
    amount: lines,
    counts: JSON.stringify(counts),
    visits: visits.length === 0 ? null : JSON.stringify(visits),
  };
}

export async function openElsewhere(
  db: Executor,
  account: string,
  given: readonly number[],
): Promise<readonly { readonly name: string; readonly uploads: number }[]> {
  const { rows } = await sql<{ name: string; uploads: number }>`
    select s.name, count(*)::integer as uploads
    from sync.write as w
    join sync.write_source as s on s.account = w.account and s.id = w.source_id
    where w.account = ${account} and w.status = any(${[...openStatuses]}::text[]) and w.skipped_at is null
      and s.id <> all (${[...given]}::bigint[])
    group by s.name order by s.name`.execute(db);
  return rows;
}
