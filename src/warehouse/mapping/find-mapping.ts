// Where each logical field of a source is in the data: set by people, found before, or found by name now. A mapped
// field stays mapped: a series does not change its source because a likelier field appears.
import { sql } from 'kysely';
import type { Executor, Row } from '../connection/database.ts';
import { type LogicalSource, rowsField } from './logical-source.ts';
import { type DataField, findField, findRows, type Mapped } from './match-fields.ts';
import { fieldPath, parsePlace } from './place.ts';

/** Who said it. */
export type MappingOrigin = Row<'sync.mapping'>['origin'];

export interface MappingRow extends Mapped {
  readonly source: string;
  readonly origin: MappingOrigin;
}

/** Finds and stores what is missing. Undefined: no field of the source was ever seen. */
export async function findMapping(
  db: Executor,
  source: LogicalSource,
): Promise<readonly Mapped[] | undefined> {
  const seen = (await readDataFields(db, source)).get(fieldSource(source));
  if (seen === undefined) return undefined;
  return await completeMapping(db, source, seen, await readMapping(db, source));
}

/** @param own what is mapped already */
export async function completeMapping(
  db: Executor,
  source: LogicalSource,
  seen: readonly DataField[],
  own: readonly Mapped[],
): Promise<readonly Mapped[]> {
  const found = findMissing(source, seen, own);
  if (found.length > 0) await storeFound(db, source.name, found);
  return [...own, ...found].map(({ field, path }) => ({ field, path }));
}

/** The array of the rows, as in sync.field. Undefined: there is none, it is not mapped, or nothing is known below it. */
export function rowsPath(source: LogicalSource, mapped: readonly Mapped[]): readonly string[] | undefined {
  const rows = mapped.find((one) => one.field === rowsField)?.path ?? undefined;
  return source.rows === undefined || rows === undefined ? undefined : fieldPath(parsePlace(rows).steps);
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
    if (path !== undefined) found.push({ field: rowsField, path });
  }
  const rows = rowsPath(source, [...mapped, ...found]);
  for (const [field, logical] of Object.entries(source.fields)) {
    if (known(field) !== undefined || (source.rows !== undefined && rows === undefined)) continue;
    const path = findField(logical, seen, rows);
    if (path !== undefined) found.push({ field, path });
  }
  return found;
}

/**
 * The fields seen, by source, also those that a publish saw and that are not merged into sync.field yet.
 * @param only of this source
 */
export async function readDataFields(db: Executor, only?: LogicalSource): Promise<Map<string, DataField[]>> {
  const name = only === undefined ? null : fieldSource(only);
  const result = await sql<DataField & { source: string }>`
    select source, path, array_agg(distinct type order by type) as types, min(example) as example
    from (
      select source, path, type, example from sync.field
      union all
      select source, path, type, null from sync.learned where type <> 'error'
    ) as f
    where ${name}::text is null or source = ${name}
    group by source, path order by source, path`.execute(db);
  const bySource = new Map<string, DataField[]>();
  for (const row of result.rows) bySource.set(row.source, [...(bySource.get(row.source) ?? []), row]);
  return bySource;
}

/** @param only of this source */
export async function readMapping(db: Executor, only?: LogicalSource): Promise<MappingRow[]> {
  const all = db.selectFrom('sync.mapping').select(['source', 'field', 'path', 'origin']);
  return await (only === undefined ? all : all.where('source', '=', only.name)).execute();
}

async function storeFound(db: Executor, source: string, found: readonly Mapped[]): Promise<void> {
  await db
    .insertInto('sync.mapping')
    .values(found.map(({ field, path }) => ({ source, field, path, origin: 'found' })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
