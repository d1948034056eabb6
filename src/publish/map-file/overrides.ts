// What people mapped, for all fields at once: compares it, stores it, and rebuilds the tables whose mapping it changed. What
// it names wins, and what it no longer names is looked for.
import type { Executor } from '../../db/database.ts';
import { canonical, mapField, parseFieldPlace } from '../../mapping/change-mapping.ts';
import { type MappingOrigin, readMapping } from '../../mapping/mapping-rows.ts';
import { type MappingListener, refreshMapping } from '../views/refresh-mapping.ts';

export interface OverrideChange {
  readonly field: string;
  /** Undefined: unmapped. */
  readonly from: string | null | undefined;
  readonly to: string | null | undefined;
  readonly origin: MappingOrigin | undefined;
}

/** By field; null: nowhere. */
export type Overrides = ReadonlyMap<string, string | null>;

type Configured = Readonly<Record<string, string | null>>;

/** What would change. What the configuration says wins. */
export async function compareOverrides(
  db: Executor,
  overrides: Overrides,
  configured: Configured,
): Promise<readonly OverrideChange[]> {
  const rows = new Map((await readMapping(db)).map((row) => [`${row.source}.${row.field}`, row]));
  const changes: OverrideChange[] = [];
  for (const [field, text] of overrides) {
    const row = rows.get(field);
    const to = canonical(field, text);
    if (field in configured || (row !== undefined && row.path === to)) continue;
    changes.push({ field, from: row?.path, to, origin: row?.origin });
  }
  for (const [field, { origin, path }] of rows) {
    if (origin === 'command' && !overrides.has(field))
      changes.push({ field, from: path, to: undefined, origin });
  }
  return changes;
}

/** The views follow with the next refreshMapping. */
export async function storeOverrides(
  db: Executor,
  overrides: Overrides,
  configured: Configured,
): Promise<readonly OverrideChange[]> {
  const changes = await compareOverrides(db, overrides, configured);
  // First: what was found and mapped as well is no longer forgotten with the array that it is below.
  await pinFound(db, overrides);
  // Another array of rows forgets what was found below the old one, so it comes first.
  const ordered = [...changes].sort((a, b) => Number(isRows(b.field)) - Number(isRows(a.field)));
  for (const { field, to } of ordered) await mapField(db, parseFieldPlace(field), to);
  return changes;
}

const isRows = (field: string) => field.endsWith('(rows)');

/** What was found, and a person says the same: it stays there whatever else may come. */
async function pinFound(db: Executor, overrides: Overrides): Promise<void> {
  for (const [name, text] of overrides) {
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

interface Applied {
  readonly changes: readonly OverrideChange[];
  readonly rebuilt: readonly string[];
}

/** Stopped half-way it is stored, and the next call, `airank views refresh` or sync goes on with the tables. */
export async function applyOverrides(
  db: Executor,
  overrides: Overrides,
  configured: Readonly<Record<string, string | null>>,
  listen?: MappingListener,
): Promise<Applied> {
  const changes = await db.transaction().execute((tx) => storeOverrides(tx, overrides, configured));
  return { changes, rebuilt: await refreshMapping(db, configured, listen) };
}

/** What people mapped by commands so far, by field. */
export async function readOverrides(db: Executor): Promise<Overrides> {
  const rows = (await readMapping(db)).filter(({ origin }) => origin === 'command');
  return new Map(rows.map(({ source, field, path }) => [`${source}.${field}`, path]));
}
