// Stores what a person said of all fields, and reads the tables anew whose mapping it changed.
import type { Executor } from '../../db/database.ts';
import { readMapping } from '../../mapping/mapping-rows.ts';
import { type Said, type SaidChange, storeSaid } from '../../mapping/store-said.ts';
import { type MappingListener, refreshMapping } from '../views/refresh-mapping.ts';

export interface Applied {
  readonly changes: readonly SaidChange[];
  /** Sources whose tables were filled anew. */
  readonly refilled: readonly string[];
}

/** Stopped half-way it is stored, and the next call, `airank views refresh` or sync goes on with the tables. */
export async function applySaid(
  db: Executor,
  said: Said,
  configured: Readonly<Record<string, string | null>>,
  listen?: MappingListener,
): Promise<Applied> {
  const changes = await db.transaction().execute((tx) => storeSaid(tx, said, configured));
  return { changes, refilled: await refreshMapping(db, configured, listen) };
}

/** What commands said so far, by field. */
export async function readSaid(db: Executor): Promise<Said> {
  const rows = (await readMapping(db)).filter(({ origin }) => origin === 'command');
  return new Map(rows.map(({ source, field, path }) => [`${source}.${field}`, path]));
}
