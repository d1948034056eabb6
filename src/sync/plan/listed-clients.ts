// The clients of an account that its newest published list has.
import type { Stream } from '../../streams/stream.ts';
import type { Executor } from '../../warehouse/connection/database.ts';
import { readClients } from '../../warehouse/evidence/clients.ts';
import { readPins } from '../../warehouse/pages/pins.ts';
import { newestPublished } from '../../warehouse/slices/slices.ts';

export interface ListedClients {
  /** Of the list. */
  readonly runDate: string;
  readonly ids: readonly string[];
}

/** Undefined: no list was ever published. @param stream the one that lists clients */
export async function readListedClients(
  db: Executor,
  account: string,
  stream: Stream,
): Promise<ListedClients | undefined> {
  const runDate = await newestPublished(db, account, stream.name);
  if (runDate === undefined) return undefined;
  const key = (await readPins(db, account)).get(stream.name)?.recordKey;
  const { ids } = await readClients(db, account, key, stream);
  return { runDate, ids };
}
