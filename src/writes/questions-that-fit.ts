// How many questions the limit of the day has room for.
import { writeOpensAt } from '../warehouse/writes/write-book.ts';
import type { SendDeps } from './send-write.ts';

/** At most `most`; 0: the limit is used up, or closed. */
export async function questionsThatFit(
  { db, config }: Pick<SendDeps, 'db' | 'config'>,
  account: string,
  most: number,
): Promise<number> {
  const fits = async (takes: number) =>
    (await writeOpensAt(db, config, { account, kind: 'questions', takes })) === undefined;
  if (await fits(most)) return most;
  let room = 0;
  for (let tooMany = most; tooMany - room > 1; ) {
    const middle = Math.floor((tooMany + room) / 2);
    if (await fits(middle)) room = middle;
    else tooMany = middle;
  }
  return room;
}
