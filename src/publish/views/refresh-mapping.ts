// Updates sync.mapping, and the tables of typed rows read through it, with the fields seen and with what people said.

import { sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { groupBy } from '../../core/group-by.ts';
import { statementsOf, textHash } from '../../db/code/code-files.ts';
import { installedHashes, lockCode, presentObjects } from '../../db/code/install-code.ts';
import { anyOf, type Executor } from '../../db/database.ts';
import { storeConfigured } from '../../mapping/change-mapping.ts';
import { readSearches, reviseMapping } from '../../mapping/find-mapping.ts';
import type { LogicalSource } from '../../mapping/logical/logical-source.ts';
import { logicalSources } from '../../mapping/logical/logical-sources.ts';
import { type Mapped, readMapping } from '../../mapping/mapping-rows.ts';
import { countRecords, enoughRecords } from '../../mapping/sample.ts';
import { columnTypes } from '../../mapping/version-sql.ts';
import { derivedTables } from '../tables/derived.ts';
import { currentMapView, installMapViews, isShown, showTable } from '../tables/install-map-views.ts';
import { abandonRebuild, rebuildTyped } from '../tables/rebuild-typed.ts';
import { createTyped, installVersionView, tableName } from '../tables/typed-sql.ts';
import { type MappedTable, noteTables, readTables, tableHash } from '../tables/typed-tables.ts';

/** Called for each slice that is read by a new mapping. If it throws, the next call resumes there. */
type MappingListener = (progress: {
  readonly source: string;
  readonly open: number;
  readonly table: number;
  readonly tables: number;
}) => void;

/**
 * Maps what the data shows now, and refills the tables whose mapping has changed. Returns the names of their sources.
 * @param configured mappings in the configuration; undefined keeps those it had last
 * @param fill how to fill a table; default: beside the one that views show, while others publish
 */
export async function refreshMapping(
  db: Executor,
  configured?: Readonly<Record<string, string | null>>,
  listen?: MappingListener,
  fill: typeof rebuildTyped = rebuildTyped,
): Promise<string[]> {
  const changed = await db.transaction().execute(async (tx) => {
    await lockCode(tx);
    if (configured !== undefined) await storeConfigured(tx, configured);
    return await mapAll(tx, await makeTables(tx));
  });
  for (const { source, isShadow } of await readTables(db, logicalSources)) {
    if (isShadow && !changed.some(([one]) => one === source)) await abandonRebuild(db, source);
  }
  for (const [index, [source, mapping]] of changed.entries()) {
    const of = { table: index + 1, tables: changed.length };
    await fill(db, source, mapping, (progress) => listen?.({ ...progress, ...of }));
  }
  return changed.map(([source]) => source.name);
}

/** Creates missing tables of typed rows, and the views over all of them; returns all tables. */
async function makeTables(db: Executor): Promise<readonly MappedTable[]> {
  const hashes = await installedHashes(db);
  const tables = (await makeAgain(db)).filter(({ isShadow }) => !isShadow);
  const known = new Map(tables.map(({ source, mapping = [] }) => [source.name, mapping]));
  const added = logicalSources.filter(({ name }) => !known.has(name));
  if (added.length > 0) {
    const made = added.map((source) => ({ source, isShadow: false }));
    const texts = made.flatMap((table) => [createTyped(table), installVersionView(table, [])]);
    await sql.raw(texts.join(';\n')).execute(db);
    await noteTables(db, made, undefined);
  }
  const all = logicalSources.map((source) => ({ source, mapping: known.get(source.name) ?? [] }));
  const before = all.filter(({ source }) => known.has(source.name));
  for (const { source, mapping } of before) {
    if (hashes.get(`bi_map.${source.name}`) !== textHash(currentMapView(source)))
      await addColumns(db, source, mapping);
  }
  await installMapViews(db, all, hashes);
  // Last, as the list of clients reads several views.
  for (const { source, mapping } of before) {
    if (!isShown(source, mapping, hashes)) await showTable(db, { source, isShadow: false }, mapping);
  }
  return [...tables, ...added.map((source) => ({ source, isShadow: false, mapping: undefined, hash: '' }))];
}

/** Creates dropped tables again, empty, and returns all. They will be refilled, as no mapping has the hash ''. */
async function makeAgain(db: Executor): Promise<readonly MappedTable[]> {
  const there = await presentObjects(db);
  const tables = await readTables(db, logicalSources);
  const emptied = new Set<string>();
  for (const { source, isShadow } of tables) {
    if (there.has(`typed.${source.name}${isShadow ? '_next' : ''}`)) continue;
    await sql.raw(createTyped({ source, isShadow })).execute(db);
    emptied.add(source.name);
  }
  const gone = derivedTables.filter(({ table }) => !there.has(table));
  for (const table of new Set(gone.map((one) => one.table))) {
    for (const text of await statementsOf(table)) await sql.raw(text).execute(db);
  }
  for (const { source } of gone) emptied.add(source);
  if (emptied.size === 0) return tables;
  await db
    .updateTable('sync.typed_table')
    .set({ hash: '' })
    .where('source', '=', anyOf([...emptied]))
    .execute();
  return await readTables(db, logicalSources);
}

/** Adds new fields to a table of an earlier release; they stay empty until it is refilled. */
async function addColumns(db: Executor, source: LogicalSource, mapping: readonly Mapped[]): Promise<void> {
  const table = { source, isShadow: false };
  const added = columnTypes(source).map(
    ([field, type]) => `add column if not exists ${escapeIdentifier(field)} ${type}`,
  );
  await sql.raw(`alter table ${tableName(table)} ${added.join(', ')}`).execute(db);
  await sql.raw(installVersionView(table, mapping)).execute(db);
}

/** Searches again if that may tell more; returns the new mapping of each table that has to follow. */
async function mapAll(
  db: Executor,
  tables: readonly MappedTable[],
): Promise<[LogicalSource, readonly Mapped[]][]> {
  const looks = await readSearches(db);
  const published = await publishedStreams(db);
  const said = groupBy(await readMapping(db), (row) => row.source);
  const counts = await countRecords(
    db,
    tables
      .filter(
        ({ source, mapping }) =>
          mapping === undefined ||
          mapping.length < Object.keys(source.fields).length ||
          looks.get(source.name)?.isSettled !== true,
      )
      .map(({ source }) => source),
    enoughRecords,
  );
  const changed: [LogicalSource, readonly Mapped[]][] = [];
  for (const { source, mapping: current, hash } of tables) {
    const records = counts.get(source.name) ?? 0;
    // A source without rows is mapped by its first publish.
    if (current === undefined && !(published.has(source.stream) && records > 0)) continue;
    const before = { look: looks.get(source.name), mapping: said.get(source.name) ?? [], records };
    const mapping = await reviseMapping(db, source, before);
    if (hash !== tableHash(source, mapping)) changed.push([source, mapping]);
  }
  return changed;
}

async function publishedStreams(db: Executor): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('sync.newest').select('stream').distinct().execute();
  return new Set(rows.map(({ stream }) => stream));
}
