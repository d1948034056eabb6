// Keeps sync.mapping and the views of bi_map up to date with the fields seen and with what people said.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Executor } from '../database.ts';
import { identifier } from '../views/view-sql.ts';
import { storeConfigured } from './change-mapping.ts';
import { derivedFrom } from './derived-kept.ts';
import { createKept, endKeeping, forgetKept } from './kept-sql.ts';
import { type LogicalSource, rowsField } from './logical-source.ts';
import { logicalSources } from './logical-sources.ts';
import { currentMapView, dailyMapView, versionView } from './map-sql.ts';
import { type DataField, findField, findRows, type Mapped } from './match-fields.ts';

interface MappingRow extends Mapped {
  readonly source: string;
  readonly origin: 'found' | 'command' | 'configuration';
}

/**
 * Maps what is unmapped and can be found by name, and makes the views of bi_map that changed by it. What is
 * mapped stays so: a series does not change its source because a likelier field appears.
 * Returns the names of the sources whose views changed.
 * @param configured what the configuration says; undefined: what it said last stays
 */
export async function refreshMapping(
  db: Executor,
  configured?: Readonly<Record<string, string | null>>,
): Promise<string[]> {
  const behind = await db.transaction().execute(async (tx) => {
    await lockBiViews(tx);
    if (configured !== undefined) await storeConfigured(tx, configured);
    await makeTables(tx);
    return await mapAll(tx);
  });
  for (const source of behind) await installMapViews(db, source);
  return behind.map((source) => source.name);
}

/** One process at a time, and no endless wait behind a long query of a dashboard. */
export async function lockBiViews(tx: Executor): Promise<void> {
  await sql`set local lock_timeout = '5s'`.execute(tx);
  await sql`select pg_advisory_xact_lock(sync.run_lock_class(), hashtext('bi_views'))`.execute(tx);
}

/** Only where it is another one: altering a table waits for its readers, who in turn may wait for a view. */
async function makeTables(db: Executor): Promise<void> {
  const hashes = await installedHashes(db);
  for (const source of logicalSources) {
    const text = createKept(source);
    const key = `bi_map.${source.name}_kept`;
    if (hashes.get(key) === textHash(text)) continue;
    await sql.raw(text).execute(db);
    await noteInstalled(db, key, textHash(text));
  }
}

/** Stores what is found by name; returns the sources whose views are not those of the mapping. */
async function mapAll(db: Executor): Promise<LogicalSource[]> {
  await registerFields(db);
  const fields = await readDataFields(db);
  const stored = await readMapping(db);
  const hashes = await installedHashes(db);
  const behind: LogicalSource[] = [];
  for (const source of logicalSources) {
    const seen = fields.get(fieldSource(source)) ?? [];
    const own = stored.filter((row) => row.source === source.name);
    const found = findMissing(source, seen, own);
    if (found.length > 0) await storeFound(db, source.name, found);
    const { key, hash } = mapViews(source, [...own, ...found]);
    if (hashes.get(key) !== hash) behind.push(source);
  }
  return behind;
}

/** For bi.field_catalog, which also says what is unmapped. */
async function registerFields(db: Executor): Promise<void> {
  const all = logicalSources.flatMap((source) => [
    ...(source.rows === undefined ? [] : [{ source: source.name, field: rowsField, type: 'array' }]),
    ...Object.entries(source.fields).map(([field, { type }]) => ({ source: source.name, field, type })),
  ]);
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as g (source text, field text, type text)
    ), gone as (
      delete from sync.logical_field l
      where not exists (select from given g where g.source = l.source and g.field = l.field)
    )
    insert into sync.logical_field as l (source, field, type) select source, field, type from given
    on conflict (source, field) do update set type = excluded.type where l.type <> excluded.type`.execute(db);
}

/** Where sync.field has the fields of a source. */
export function fieldSource(source: LogicalSource): string {
  return source.envelope ? `${source.stream}_envelope` : source.stream;
}

function findMissing(source: LogicalSource, seen: readonly DataField[], mapped: readonly Mapped[]): Mapped[] {
  const found: Mapped[] = [];
  const known = (field: string) => [...mapped, ...found].find((one) => one.field === field);
  if (source.rows !== undefined && known(rowsField) === undefined) {
    const path = findRows(source, seen);
    if (path !== undefined) found.push({ field: rowsField, path, ofRecord: true });
  }
  const rows = source.rows === undefined ? undefined : (known(rowsField)?.path ?? undefined);
  for (const [field, logical] of Object.entries(source.fields)) {
    if (known(field) !== undefined || (source.rows !== undefined && rows === undefined)) continue;
    const place = findField(logical, seen, rows);
    if (place !== undefined) found.push({ field, ...place });
  }
  return found;
}

export async function readDataFields(db: Executor): Promise<Map<string, DataField[]>> {
  const result = await sql<DataField & { source: string }>`
    select source, path, array_agg(type order by type) as types, min(example) as example
    from sync.field group by source, path order by source, path`.execute(db);
  const bySource = new Map<string, DataField[]>();
  for (const row of result.rows) bySource.set(row.source, [...(bySource.get(row.source) ?? []), row]);
  return bySource;
}

export async function readMapping(db: Executor): Promise<MappingRow[]> {
  const result = await sql<MappingRow>`
    select source, field, path, of_record as "ofRecord", origin from sync.mapping`.execute(db);
  return result.rows;
}

async function storeFound(db: Executor, source: string, found: readonly Mapped[]): Promise<void> {
  for (const { field, path, ofRecord } of found) {
    await sql`
      insert into sync.mapping (source, field, path, of_record, origin)
      values (${source}, ${field}, ${path === null ? null : [...path]}::text[], ${ofRecord}, 'found')
      on conflict do nothing`.execute(db);
  }
}

interface MapViews {
  readonly key: string;
  readonly hash: string;
  /** Text by name. */
  readonly views: Readonly<Record<string, string>>;
}

function mapViews(source: LogicalSource, mapping: readonly Mapped[]): MapViews {
  const views = {
    [`${source.name}_version`]: versionView(source, mapping),
    [source.name]: currentMapView(source, mapping),
    [`${source.name}_daily`]: dailyMapView(source, mapping),
  };
  // With all that is kept of it: a process of another version, which keeps less, leaves another hash behind.
  const tables = derivedFrom([source.stream]).flatMap((one) => one.tables);
  const hash = textHash(JSON.stringify([views, source.keptIndexes, tables]));
  return { key: `bi_map.${source.name}`, hash, views };
}

/**
 * Each view in a transaction of its own: a query of a dashboard holds one view and waits for the next, in an order
 * of its own, so whoever holds two against it ends in a deadlock.
 */
async function installMapViews(db: Executor, source: LogicalSource): Promise<void> {
  const inOne = async (change: (tx: Executor, of: MapViews) => Promise<void>) =>
    await db.transaction().execute(async (tx) => {
      await lockBiViews(tx);
      const mapping = await readMapping(tx);
      const own = mapping.filter((row) => row.source === source.name);
      await change(tx, mapViews(source, own));
    });
  for (const place of ['_version', '', '_daily'] as const) {
    const name = `${source.name}${place}`;
    await inOne(async (tx, { views }) => {
      await sql.raw(`create or replace view bi_map.${identifier(name)} as\n${views[name]}`).execute(tx);
    });
  }
  // What is kept was read in another way: the views read the versions until it is kept anew.
  await inOne(async (tx, { key, hash }) => {
    await sql.raw(endKeeping).execute(tx);
    for (const text of forgetKept(source.stream)) await sql.raw(text).execute(tx);
    await noteInstalled(tx, key, hash);
  });
}

/** The hash of everything that is installed by its text, by name. */
export async function installedHashes(db: Executor): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; hash: string }>`select name, hash from sync.bi_view`.execute(db);
  return new Map(rows.map((row) => [row.name, row.hash]));
}

export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

export async function noteInstalled(db: Executor, name: string, hash: string): Promise<void> {
  await sql`
    insert into sync.bi_view (name, hash) values (${name}, ${hash})
    on conflict (name) do update set hash = excluded.hash, installed_at = now()`.execute(db);
}
