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
  return await db.transaction().execute(async (tx) => {
    await lockBiViews(tx);
    if (configured !== undefined) await storeConfigured(tx, configured);
    return await mapAll(tx);
  });
}

/** One process at a time, and no endless wait behind a long query of a dashboard. */
export async function lockBiViews(tx: Executor): Promise<void> {
  await sql`set local lock_timeout = '5s'`.execute(tx);
  await sql`select pg_advisory_xact_lock(sync.run_lock_class(), hashtext('bi_views'))`.execute(tx);
}

async function mapAll(db: Executor): Promise<string[]> {
  await registerFields(db);
  const fields = await readDataFields(db);
  const stored = await readMapping(db);
  const changed: LogicalSource[] = [];
  for (const source of logicalSources) {
    const seen = fields.get(fieldSource(source)) ?? [];
    const own = stored.filter((row) => row.source === source.name);
    const found = findMissing(source, seen, own);
    if (found.length > 0) await storeFound(db, source.name, found);
    if (await installMapViews(db, source, [...own, ...found])) changed.push(source);
  }
  // What is kept was read in another way: the views read the versions until it is kept anew.
  for (const stream of new Set(changed.map((source) => source.stream))) {
    for (const text of forgetKept(stream)) await sql.raw(text).execute(db);
  }
  return changed.map((source) => source.name);
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

/** Whether anything had to be made. */
async function installMapViews(
  db: Executor,
  source: LogicalSource,
  mapping: readonly Mapped[],
): Promise<boolean> {
  const views: [string, string][] = [
    [`${source.name}_version`, versionView(source, mapping)],
    [source.name, currentMapView(source, mapping)],
    [`${source.name}_daily`, dailyMapView(source, mapping)],
  ];
  // With all that is kept of it: a process of another version, which keeps less, leaves another hash behind.
  const tables = derivedFrom([source.stream]).flatMap((one) => one.tables);
  const hash = textHash(JSON.stringify([views, source.keptIndexes, tables]));
  const key = `bi_map.${source.name}`;
  const known = await sql`select from sync.bi_view where name = ${key} and hash = ${hash}`.execute(db);
  if (known.rows.length > 0) return false;
  await sql.raw(endKeeping).execute(db);
  await sql.raw(createKept(source)).execute(db);
  for (const [name, text] of views) {
    await sql.raw(`create or replace view bi_map.${identifier(name)} as\n${text}`).execute(db);
  }
  await noteInstalled(db, key, hash);
  return true;
}

export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

export async function noteInstalled(db: Executor, name: string, hash: string): Promise<void> {
  await sql`
    insert into sync.bi_view (name, hash) values (${name}, ${hash})
    on conflict (name) do update set hash = excluded.hash, installed_at = now()`.execute(db);
}
