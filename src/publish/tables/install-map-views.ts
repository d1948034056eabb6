// The views over typed rows by current record and by run date, where their text is not installed yet. It follows the
// mapping only for fields that stand beside the list.
import { sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { textHash } from '../../db/code/code-files.ts';
import { installedHashes, lockCode, noteInstalled } from '../../db/code/install-code.ts';
import type { Executor } from '../../db/database.ts';
import { isAboutOneSlice } from '../../db/sqlstate.ts';
import { envelopeFields } from '../../mapping/envelope-sql.ts';
import type { LogicalSource } from '../../mapping/logical/logical-source.ts';
import type { Mapped } from '../../mapping/mapped.ts';
import { currentMapView, dailyMapView } from './map-sql.ts';
import { installVersionView, type TypedTable } from './typed-sql.ts';
import { readTables, shareStream } from './typed-tables.ts';

/** @param hashes what is installed, read before the mapping was: then a change meanwhile is never undone */
export async function installMapViews(
  db: Executor,
  source: LogicalSource,
  mapping: readonly Mapped[],
  hashes: ReadonlyMap<string, string>,
): Promise<void> {
  const views = [
    [source.name, currentMapView(source)],
    [`${source.name}_daily`, dailyMapView(source, mapping)],
  ] as const;
  for (const [name, text] of views) {
    if (hashes.get(`bi_map.${name}`) === textHash(text)) continue;
    await sql.raw(`create or replace view bi_map.${escapeIdentifier(name)} as\n${text}`).execute(db);
    await noteInstalled(db, `bi_map.${name}`, textHash(text));
  }
}

/**
 * Puts a table and its mapping in place. From here on queries wait. They lock these views before the table, and the
 * outer ones first, so no query holds what this waits for while it waits itself.
 * @throws lock_not_available where a query holds a view for longer than 5 s
 */
export async function showTable(db: Executor, table: TypedTable, mapping: readonly Mapped[]): Promise<void> {
  const { source } = table;
  const before = await sql<{ value: string }>`select current_setting('lock_timeout') as value`.execute(db);
  await sql`set local lock_timeout = '5s'`.execute(db);
  await installMapViews(db, source, mapping, await installedHashes(db));
  await sql.raw(installVersionView(table, mapping)).execute(db);
  await noteInstalled(db, versionView(source), versionHash(source, mapping));
  // What follows in the transaction waits as long as it did before.
  await sql`select set_config('lock_timeout', ${before.rows[0]?.value ?? '0'}, true)`.execute(db);
}

/** Whether the views of a table show its mapping, which they name for fields that stand beside the list only. */
export function isShown(
  source: LogicalSource,
  mapping: readonly Mapped[],
  hashes: ReadonlyMap<string, string>,
): boolean {
  return (
    envelopeFields(source, mapping).length === 0 ||
    hashes.get(versionView(source)) === versionHash(source, mapping)
  );
}

/**
 * Shows the mapping that a publish made. Not in its transaction, where the wait for a query of a dashboard would fail
 * the slice: a view that cannot be had is left to the refresh after the batch. One process at a time, as two that read
 * a view while they replace another wait for each other.
 */
export async function showFirstMapping(db: Executor, source: LogicalSource): Promise<void> {
  try {
    await db.transaction().execute(async (tx) => {
      await shareStream(tx, source.stream);
      await lockCode(tx);
      const [table] = await readTables(tx, [source]);
      if (table?.mapping === undefined || isShown(source, table.mapping, await installedHashes(tx))) return;
      await showTable(tx, { source, isShadow: false }, table.mapping);
    });
  } catch (error) {
    // The slice is published: nothing of this is about it.
    if (!isAboutOneSlice(error)) throw error;
  }
}

const versionView = (source: LogicalSource) => `bi_map.${source.name}_version`;

const versionHash = (source: LogicalSource, mapping: readonly Mapped[]) =>
  textHash(installVersionView({ source, isShadow: false }, mapping));
