// Which of the logs that were read before this one is, by its first block and by the end of what was read of it.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Executor } from '../../db/database.ts';
import { blockOf, type OpenLog } from '../logs/open-log.ts';
import {
  addSource,
  blockLengths,
  findSources,
  type KnownEnd,
  knownEnds,
  type StoredSource,
  seeSource,
} from '../store/write-sources.ts';

export interface FoundSource extends StoredSource {
  /** It was read before: under this name, or another one. */
  readonly known: boolean;
  /** Standard input cannot be looked at ahead: the end that it has to show on the way. */
  readonly expects: KnownEnd | undefined;
  /** It ends before any end that is known: a copy cut short, or another log that begins the same. */
  readonly isShorter: boolean;
}

/** How many ends of ranges are compared with a log that is shorter than what was read of it. */
const mostEnds = 50;

export interface FindOptions {
  readonly account: string;
  /** Somebody says that it was never read before. */
  readonly isNew: boolean;
  /** Nothing is written, and a new source has number 0. */
  readonly isDry: boolean;
}

export async function findSource(db: Executor, log: OpenLog, options: FindOptions): Promise<FoundSource> {
  const { account, isDry } = options;
  const source = { name: nameOf(log), ...log.identity };
  for (const stored of options.isNew ? [] : await sourcesLike(db, account, log.head)) {
    const ends = await knownEnds(db, account, stored.id, mostEnds);
    const end = log.sizeBytes === null ? 'same' : await compareEnds(log, ends);
    if (end === 'other') continue;
    const isShorter = end === 'shorter' && stored.position > 0 && !isSamePlace(stored, log);
    // What comes through a pipe says nothing of where the log is.
    const { blockBytes, blockHash } = log.identity;
    const place = log.sizeBytes === null ? { ...stored, blockBytes, blockHash } : source;
    if (!isDry && !isShorter) await seeSource(db, account, stored.id, place);
    const expects =
      log.sizeBytes === null ? ends.find(({ toByte }) => toByte === stored.position) : undefined;
    return { ...stored, name: source.name, known: true, expects, isShorter };
  }
  const added = isDry ? { ...source, id: 0, position: 0 } : await addSource(db, account, source);
  return { ...added, known: false, expects: undefined, isShorter: false };
}

/** A log grows, so it is compared at the length that it had when it was seen. */
async function sourcesLike(db: Executor, account: string, head: Buffer): Promise<readonly StoredSource[]> {
  const lengths = await blockLengths(db, account);
  const blocks = lengths
    .filter((bytes) => bytes > 0 && bytes <= head.length)
    .map((bytes) => blockOf(head, bytes));
  return blocks.length === 0 ? [] : await findSources(db, account, blocks);
}

function nameOf({ name, sizeBytes }: OpenLog): string {
  return sizeBytes === null ? '-' : basename(name);
}

/** The same file, longer than what was read of it, though no end of that is known: it has only grown. */
function isSamePlace(stored: StoredSource, { identity, sizeBytes, compression }: OpenLog): boolean {
  return (
    compression === 'none' &&
    stored.inode === identity.inode &&
    stored.device === identity.device &&
    (sizeBytes ?? 0) >= stored.position
  );
}

/** The newest end that lies within the log decides. */
async function compareEnds(log: OpenLog, ends: readonly KnownEnd[]): Promise<'same' | 'other' | 'shorter'> {
  for (const end of ends) {
    const hash = await hashAt(log, end.toByte - end.tailBytes, end.tailBytes);
    if (hash !== undefined) return hash === end.tailHash ? 'same' : 'other';
  }
  return 'shorter';
}

/** Undefined: the log ends before. */
async function hashAt(log: OpenLog, fromByte: number, bytes: number): Promise<string | undefined> {
  const hash = createHash('sha256');
  let left = bytes;
  for await (const block of log.blocks(fromByte)) {
    const part = block.subarray(0, left);
    hash.update(part);
    left -= part.length;
    if (left === 0) return hash.digest('hex');
  }
  return undefined;
}
