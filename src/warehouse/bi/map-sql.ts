// The text of the views of schema bi_map: the logical fields of one source, typed, null where unmapped.
import { arrayItems, identifier, literal, valueAt } from '../views/view-sql.ts';
import { type LogicalSource, type LogicalType, rowsField } from './logical-source.ts';
import type { Mapped } from './match-fields.ts';

const sqlTypes: Readonly<Record<LogicalType, string>> = {
  text: 'text',
  numeric: 'numeric',
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

/** Versions with their logical fields: bi_map.<name>_version. */
export function versionView(source: LogicalSource, mapping: readonly Mapped[]): string {
  const rows = mapping.find((one) => one.field === rowsField)?.path ?? undefined;
  const items = source.rows === undefined ? undefined : arrayItems(rows ?? []);
  const element = items === undefined ? 'r.payload' : `e${items.arrays}.value`;
  const value = (field: string, type: LogicalType) => {
    const mapped = mapping.find((one) => one.field === field);
    if (mapped?.path === undefined || mapped.path === null) return `null::${sqlTypes[type]}`;
    return cast(type, `(${valueAt(mapped.ofRecord ? 'r.payload' : element, mapped.path)})`);
  };
  const columns = Object.entries(source.fields).map(([field, { type }]) =>
    field === 'client'
      ? `coalesce(nullif(r.client_id, ''), ${value(field, type)}, '') as client_id`
      : `${value(field, type)} as ${identifier(field)}`,
  );
  const table = source.envelope ? 'snapshot.envelope' : `snapshot.${identifier(source.stream)}`;
  const position = items === undefined ? '0' : `e${items.arrays}.position::integer`;
  // An array that is not mapped has no rows.
  const filter = [
    ...(source.envelope ? [`r.record_key = ${literal(source.stream)}`] : []),
    ...(source.rows !== undefined && rows === undefined ? ['false'] : []),
  ];
  return [
    `select r.account, r.client_id as slice_client_id, r.record_key, r.run_date as from_date, r.until, ${position} as row_no,`,
    `  ${columns.join(',\n  ')}`,
    `from ${table} as r`,
    ...(items?.items ?? []),
    ...(filter.length === 0 ? [] : [`where ${filter.join(' and ')}`]),
  ].join('\n');
}

function joined(
  source: LogicalSource,
  newest: string,
  slices: string,
  validity: string,
  where: string,
): string {
  const fields = ['client_id', ...Object.keys(source.fields).filter((field) => field !== 'client')];
  return `select v.account, s.run_date, s.completed_at, v.record_key, v.row_no, v.from_date,
  v.slice_client_id, ${newest} as newest_date, ${fields.map((field) => `v.${identifier(field)}`).join(', ')}
from ${slices}
join bi_map.${identifier(`${source.name}_version`)} as v on v.account = s.account and v.slice_client_id = s.client_id
  and ${validity}
where s.stream = ${literal(source.stream)}${where}`;
}

/** Current records: bi_map.<name>. */
export function currentMapView(source: LogicalSource): string {
  return joined(source, 's.run_date', 'sync.newest as s', `v.until = 'infinity'`, '');
}

/** One row a record and complete run date: bi_map.<name>_daily. */
export function dailyMapView(source: LogicalSource): string {
  return joined(
    source,
    'n.run_date',
    `sync.slice as s
join sync.newest as n on n.stream = s.stream and n.account = s.account and n.client_id = s.client_id`,
    'v.from_date <= s.run_date and v.until > s.run_date',
    ' and s.completed_at is not null',
  );
}
