// SQL that reads a logical source: its fields, typed, from the jsonb of its versions; null if unmapped or
// beside the list.
import { escapeIdentifier, escapeLiteral } from 'pg';
import { type LogicalSource, type LogicalType, rowsField } from './logical/logical-source.ts';
import { type Place, parsePlace } from './logical/place.ts';
import { reach, rowSteps } from './logical/place-sql.ts';
import { readSql, sqlType } from './logical/read-sql.ts';
import type { Mapped } from './mapping-rows.ts';

export function envelopeFields(source: LogicalSource, mapping: readonly Mapped[]): readonly string[] {
  return placesOf(source, mapping).map(({ field }) => field);
}

/** Scope and date, as SQL, of the rows that an envelope belongs to. */
interface EnvelopeOf {
  readonly account: string;
  readonly clientId: string;
  /** Condition on the envelope's version `r`; at most one meets it. */
  readonly isValid: string;
}

/** Returns a select of these fields, with one row or none. */
export function selectEnvelope(
  source: LogicalSource,
  mapping: readonly Mapped[],
  { account, clientId, isValid }: EnvelopeOf,
): string {
  const values = placesOf(source, mapping).map(
    ({ field, value }) => `${value} as ${escapeIdentifier(field)}`,
  );
  return `select ${values.join(', ')} from snapshot.envelope as r
where r.account = ${account} and r.client_id = ${clientId} and r.record_key = ${escapeLiteral(source.stream)} and ${isValid}
order by r.until limit 1`;
}

/** Returns the same fields as a from-item `e` beside others. */
export function joinEnvelope(
  source: LogicalSource,
  mapping: readonly Mapped[],
  envelope: EnvelopeOf,
): string {
  return `left join lateral (\n${selectEnvelope(source, mapping, envelope)}\n) as e on true`;
}

function placesOf(source: LogicalSource, mapping: readonly Mapped[]) {
  return Object.entries(source.fields).flatMap(([field, { type }]) => {
    const path = mapping.find((one) => one.field === field)?.path ?? undefined;
    const place = path === undefined ? undefined : parsePlace(path);
    return place?.base === 'envelope' ? [{ field, value: readSql(type, place, 'r.payload') }] : [];
  });
}

export function columnTypes(source: LogicalSource): [string, string][] {
  return Object.entries(source.fields).flatMap(([field, { type }]) =>
    field === 'client' ? [] : [[field, sqlType(type)] as [string, string]],
  );
}

interface VersionSql {
  readonly table: string;
  /** From-items after the table, as `r`: the row, if it is not the record itself, and the fields as `x`. */
  readonly items: readonly string[];
  readonly filter: readonly string[];
  readonly position: string;
  readonly client: string;
}

export function versionSql(source: LogicalSource, mapping: readonly Mapped[]): VersionSql {
  const placeOf = (field: string) => {
    const path = mapping.find((one) => one.field === field)?.path ?? undefined;
    return path === undefined ? undefined : parsePlace(path);
  };
  const rows = source.rows === undefined ? undefined : rowsSql(placeOf(rowsField));
  const value = (field: string, type: LogicalType) => {
    const place = placeOf(field);
    const base = place === undefined ? undefined : baseOf(place, rows);
    return place === undefined || base === undefined ? `null::${sqlType(type)}` : readSql(type, place, base);
  };
  const fields = Object.entries(source.fields).map(
    ([field, { type }]) => `${value(field, type)} as ${escapeIdentifier(field)}`,
  );
  return {
    table: source.envelope ? 'snapshot.envelope' : `snapshot.${escapeIdentifier(source.stream)}`,
    // The fence keeps each field from being read again for every use.
    items: [
      ...(rows === undefined ? [] : [rows.item]),
      `cross join lateral (select ${fields.join(',\n  ')}\n  offset 0) as x`,
    ],
    filter: source.envelope ? [`r.record_key = ${escapeLiteral(source.stream)}`] : [],
    position: rows === undefined ? '0' : 'e.position::integer',
    client: `coalesce(nullif(r.client_id, ''), x.client, '')`,
  };
}

interface RowsSql {
  readonly item: string;
  readonly isMap: boolean;
}

/** Returns no rows for an array that is not mapped. */
function rowsSql(place: Place | undefined): RowsSql {
  if (place === undefined) {
    return {
      item: `cross join lateral (select null::jsonb as value, 0 as position where false) as e`,
      isMap: false,
    };
  }
  const { items, value, positions, key } = reach('r.payload', rowSteps(place.steps), 'e');
  const position =
    positions.length === 1 ? positions.join() : `row_number() over (order by ${positions.join(', ')})`;
  return {
    item: `cross join lateral (select ${key ?? 'null::text'} as key, ${value} as value, ${position} as position
from ${items.join('\ncross join lateral ')}) as e`,
    isMap: key !== undefined,
  };
}

/** Returns undefined if it is not in the version, such as the key of a row that is not an entry of a map. */
function baseOf({ base, steps }: Place, rows: RowsSql | undefined): string | undefined {
  if (base === 'envelope') return undefined;
  if (steps[0]?.kind === 'key') return rows?.isMap === true ? 'to_jsonb(e.key)' : undefined;
  return base === 'record' || rows === undefined ? 'r.payload' : 'e.value';
}
