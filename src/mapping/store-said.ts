// Stores a whole file of places that a person gave: what it names holds, and what it no longer names is looked for.
import type { Executor } from '../db/database.ts';
import { canonical, mapField, parseFieldPlace } from './change-mapping.ts';
import type { MappingOrigin } from './mapped.ts';
import { readMapping } from './mapping-rows.ts';

export interface SaidChange {
  /** `rank_now.score` */
  readonly field: string;
  /** Undefined: unmapped. */
  readonly from: string | null | undefined;
  /** Undefined: back to what is found. */
  readonly to: string | null | undefined;
  /** Who said it before. */
  readonly origin: MappingOrigin | undefined;
}

/** By field; null: nowhere. */
export type Said = ReadonlyMap<string, string | null>;

type Configured = Readonly<Record<string, string | null>>;

/** What would change. What the configuration says wins. */
export async function compareSaid(
  db: Executor,
  said: Said,
  configured: Configured,
): Promise<readonly SaidChange[]> {
  const rows = new Map((await readMapping(db)).map((row) => [`${row.source}.${row.field}`, row]));
  const changes: SaidChange[] = [];
  for (const [field, text] of said) {
    const row = rows.get(field);
    const to = canonical(field, text);
    if (field in configured || (row !== undefined && row.path === to)) continue;
    changes.push({ field, from: row?.path, to, origin: row?.origin });
  }
  for (const [field, { origin, path }] of rows) {
    if (origin === 'command' && !said.has(field)) changes.push({ field, from: path, to: undefined, origin });
  }
  return changes;
}

/** The views follow with the next refreshMapping. */
export async function storeSaid(
  db: Executor,
  said: Said,
  configured: Configured,
): Promise<readonly SaidChange[]> {
  const changes = await compareSaid(db, said, configured);
  // First: what was found and is said as well is no longer forgotten with the array that it is below.
  await pinFound(db, said);
  // Another array of rows forgets what was found below the old one, so it comes first.
  const ordered = [...changes].sort((a, b) => Number(isRows(b.field)) - Number(isRows(a.field)));
  for (const { field, to } of ordered) await mapField(db, parseFieldPlace(field), to);
  return changes;
}

const isRows = (field: string) => field.endsWith('(rows)');

/** What was found, and a person says the same: it stays there whatever else may come. */
async function pinFound(db: Executor, said: Said): Promise<void> {
  for (const [name, text] of said) {
    const { source, field } = parseFieldPlace(name);
    await db
      .updateTable('sync.mapping')
      .set({ origin: 'command', score: null })
      .where('source', '=', source.name)
      .where('field', '=', field)
      .where('origin', '=', 'found')
      .where('path', '=', canonical(name, text))
      .execute();
  }
}
