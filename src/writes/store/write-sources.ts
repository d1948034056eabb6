// sync.write_source: the logs that were read, and how far.
import { sql } from 'kysely';
import type { Executor } from '../../db/database.ts';

export interface StoredSource {
  readonly id: number;
  /** File name when it was last seen. */
  readonly name: string;
  readonly device: string | null;
  readonly inode: string | null;
  readonly blockBytes: number;
  /** SHA-256, in hex. */
  readonly blockHash: string;
  /** Bytes of the decompressed content of which every line is in a row of sync.write. */
  readonly position: number;
}

/** By what a log is recognised, with the name of its file. */
export type NewSource = Omit<StoredSource, 'id' | 'position'>;

/** The end of a range that is known: content that has the same bytes there is the same log. */
export interface KnownEnd {
  readonly toByte: number;
  readonly tailBytes: number;
  readonly tailHash: string;
}

/** Length of the piece at the end of a range whose hash is stored. */
export const mostTailBytes = 4_096;

/** First blocks of so many bytes were noted. */
export async function blockLengths(db: Executor, account: string): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('sync.write_source')
    .select('block_bytes')
    .distinct()
    .where('account', '=', account)
    .execute();
  return rows.map(({ block_bytes }) => block_bytes);
}

/** Those that begin with one of these blocks, the ones seen last first. There may be thousands of others. */
export async function findSources(
  db: Executor,
  account: string,
  blocks: readonly Pick<StoredSource, 'blockBytes' | 'blockHash'>[],
): Promise<readonly StoredSource[]> {
  const lengths = blocks.map(({ blockBytes }) => blockBytes);
  const hashes = blocks.map(({ blockHash }) => Buffer.from(blockHash, 'hex'));
  const rows = await db
    .selectFrom('sync.write_source as s')
    .where('s.account', '=', account)
    .where(
      sql<boolean>`(s.block_bytes, s.block_hash) in (select * from unnest(${lengths}::integer[], ${hashes}::bytea[]))`,
    )
    .select(['s.id', 's.name', 's.device', 's.inode', 's.block_bytes', 's.block_hash'])
    .select((read) =>
      read
        .selectFrom('sync.write as w')
        .whereRef('w.account', '=', 's.account')
        .whereRef('w.source_id', '=', 's.id')
        .select(({ fn }) => fn.max('w.to_byte').as('position'))
        .as('position'),
    )
    .orderBy('s.last_seen', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    device: row.device,
    inode: row.inode,
    blockBytes: row.block_bytes,
    blockHash: row.block_hash.toString('hex'),
    position: row.position ?? 0,
  }));
}

/** Ends of its ranges, the last first, at most so many. */
export async function knownEnds(
  db: Executor,
  account: string,
  sourceId: number,
  limit: number,
): Promise<readonly KnownEnd[]> {
  const rows = await db
    .selectFrom('sync.write')
    .select(['from_byte', 'to_byte', 'tail_hash'])
    .where('account', '=', account)
    .where('source_id', '=', sourceId)
    .orderBy('to_byte', 'desc')
    .limit(limit)
    .execute();
  return rows.flatMap(({ from_byte, to_byte, tail_hash }) =>
    from_byte === null || to_byte === null || tail_hash === null
      ? []
      : [
          {
            toByte: to_byte,
            tailBytes: Math.min(to_byte - from_byte, mostTailBytes),
            tailHash: tail_hash.toString('hex'),
          },
        ],
  );
}

export async function addSource(db: Executor, account: string, source: NewSource): Promise<StoredSource> {
  const { id } = await db
    .insertInto('sync.write_source')
    .values({ account, ...columnsOf(source) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...source, id, position: 0 };
}

/** It has another name or place now, or its first block has grown. */
export async function seeSource(db: Executor, account: string, id: number, source: NewSource): Promise<void> {
  await db
    .updateTable('sync.write_source')
    .set({ ...columnsOf(source), last_seen: new Date() })
    .where('account', '=', account)
    .where('id', '=', id)
    .execute();
}

function columnsOf(source: NewSource) {
  return {
    name: source.name,
    device: source.device,
    inode: source.inode,
    block_bytes: source.blockBytes,
    block_hash: Buffer.from(source.blockHash, 'hex'),
  };
}
