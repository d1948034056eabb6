// How much of a kind the limit has room for just now.
import { writeOpensAt } from '../warehouse/writes/write-book.ts';
import type { WriteKind } from '../warehouse/writes/write-limits.ts';
import type { SendDeps } from './send-write.ts';

export interface Room {
  readonly account: string;
  readonly kind: WriteKind;
  readonly most: number;
}

/** At most `most`; 0: the limit is used up, or closed. */
export async function roomInLimit(
  { db, config }: Pick<SendDeps, 'db' | 'config'>,
  { account, kind, most }: Room,
): Promise<number> {
  const fits = async (takes: number) =>
    (await writeOpensAt(db, config, { account, kind, takes })) === undefined;
  if (await fits(most)) return most;
  let room = 0;
  for (let tooMany = most; tooMany - room > 1; ) {
    const middle = Math.floor((tooMany + room) / 2);
    if (await fits(middle)) room = middle;
    else tooMany = middle;
  }
  return room;
}
