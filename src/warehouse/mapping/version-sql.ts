// The text that reads a logical source: its fields, typed, out of the jsonb of its versions, null where unmapped.

import { escapeIdentifier, escapeLiteral } from 'pg';
import { arrayItems, valueAt } from '../fields/path-sql.ts';
import { type LogicalSource, type LogicalType, rowsField } from './logical-source.ts';
import type { Mapped } from './match-fields.ts';
import { parsePlace, type Step } from './place.ts';

const sqlTypes: Readonly<Record<LogicalType, string>> = {
  text: 'text',
  numeric: 'numeric',
  score: 'numeric',
  rate: 'numeric',
  bigint: 'bigint',
  boolean: 'boolean',
  date: 'date',
  timestamptz: 'timestamptz',
  list: 'text',
  json: 'jsonb',
};

function cast(type: LogicalType, value: string): string {
  switch (type) {
    case 'text':
      return `nullif(sync.as_text(${value}), '')`;
    case 'numeric':
    case 'score':
    case 'rate':
      return `sync.bi_numeric(${value})`;
    case 'bigint':
      return `sync.bi_bigint(${value})`;
    case 'boolean':
      return `sync.bi_boolean(${value})`;
    case 'date':
      return `sync.bi_date(${value} #>> '{}')`;
    case 'timestamptz':
      return `sync.as_timestamp(${value} #>> '{}')`;
    case 'list':
      return `sync.bi_list(${value})`;
    case 'json':
      return value;
  }
}

function names(steps: readonly Step[]): string[] {
  return steps.map((step) => (step.kind === 'name' ? step.name : '[]'));
}

/** Columns beside the keys, in order. */
export function columnTypes(source: LogicalSource): [string, string][] {
  return Object.entries(source.fields).flatMap(([field, { type }]) =>
    field === 'client' ? [] : [[field, sqlTypes[type]] as [string, string]],
  );
}

/** How a source is read from its versions. */
export interface VersionSql {
  /** With alias r. */
  readonly table: string;
  /** From-items after it: elements e1, …, and the fields as x. */
  readonly items: readonly string[];
  readonly filter: readonly string[];
  readonly position: string;
  /** The client: the slice's, else what the record says. */
  readonly client: string;
}

export function versionSql(source: LogicalSource, mapping: readonly Mapped[]): VersionSql {
  const rows = mapping.find((one) => one.field === rowsField)?.path ?? undefined;
  const path = rows === undefined ? [] : names(parsePlace(rows).steps);
  const items = source.rows === undefined ? undefined : arrayItems(path);
  const element = items === undefined ? 'r.payload' : `e${items.arrays}.value`;
  const value = (field: string, type: LogicalType) => {
    const mapped = mapping.find((one) => one.field === field);
    if (mapped?.path === undefined || mapped.path === null) return `null::${sqlTypes[type]}`;
    const { ofRecord, steps } = parsePlace(mapped.path);
    return cast(type, `(${valueAt(ofRecord ? 'r.payload' : element, names(steps))})`);
  };
  const fields = Object.entries(source.fields).map(
    ([field, { type }]) => `${value(field, type)} as ${escapeIdentifier(field)}`,
  );
  return {
    table: source.envelope ? 'snapshot.envelope as r' : `snapshot.${escapeIdentifier(source.stream)} as r`,
    // The fence keeps fields from being read once for each use.
    items: [...(items?.items ?? []), `cross join lateral (select ${fields.join(',\n  ')}\n  offset 0) as x`],
    // An array that is not mapped has no rows.
    filter: [
      ...(source.envelope ? [`r.record_key = ${escapeLiteral(source.stream)}`] : []),
      ...(source.rows !== undefined && rows === undefined ? ['false'] : []),
    ],
    position: items === undefined ? '0' : `e${items.arrays}.position::integer`,
    client: `coalesce(nullif(r.client_id, ''), x.client, '')`,
  };
}
