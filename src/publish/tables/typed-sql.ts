// The text of a table of typed rows: one row per version (and element) of a logical source, read through the mapping.
import { escapeIdentifier, escapeLiteral } from 'pg';
import { withMark } from '../../db/code/mark.ts';
import type { LogicalSource } from '../../mapping/logical/logical-source.ts';
import type { Mapped } from '../../mapping/mapping-rows.ts';
import { columnTypes, envelopeFields, joinEnvelope, versionSql } from '../../mapping/version-sql.ts';
import type { Chosen } from './touched.ts';

/** Key columns in the order of the primary key, then the row's account and client. */
const keyColumns: readonly (readonly [string, string])[] = [
  ['account', 'text'],
  ['slice_client_id', 'text'],
  ['until', 'date'],
  ['from_date', 'date'],
  ['record_key', 'text'],
  ['row_no', 'integer'],
  ['client_id', 'text'],
];

export interface TypedTable {
  readonly source: LogicalSource;
  readonly isShadow: boolean;
}

export function tableName({ source, isShadow }: TypedTable): string {
  return `typed.${escapeIdentifier(isShadow ? `${source.name}_next` : source.name)}`;
}

/** Leaves indexes and constraints unnamed, as the table is renamed when it replaces another. */
export function createTyped(table: TypedTable): string {
  const { source } = table;
  const name = tableName(table);
  const columns = [
    ...keyColumns.map(([key, type]) => `${key} ${type} not null`),
    ...columnTypes(source).map(([field, type]) => `${escapeIdentifier(field)} ${type}`),
    'primary key (account, slice_client_id, until, from_date, record_key, row_no)',
  ];
  const rows = source.rows === undefined ? 'one row a version' : 'one row a version and element';
  return [
    `create table ${name} (${columns.join(', ')})`,
    ...['(client_id, account, until, from_date)', ...source.typedIndexes].map(
      (on) => `create index on ${name} ${on}`,
    ),
    `comment on table ${name} is ${escapeLiteral(withMark(`${source.name}, ${rows}.`))}`,
  ].join(';\n');
}

/** Inserts the rows of versions. @param choose condition on a table of versions, `r` */
export function insertTyped(
  table: TypedTable,
  mapping: readonly Mapped[],
  choose: (versions: string) => Chosen,
): string {
  const { source } = table;
  const version = versionSql(source, mapping);
  const { from, where } = choose(version.table);
  const fields = columnTypes(source).map(([field]) => escapeIdentifier(field));
  return `insert into ${tableName(table)} (${[...keyColumns.map(([key]) => key), ...fields].join(', ')})
select r.account, r.client_id, r.until, r.run_date, r.record_key, ${version.position}, ${version.client}${fields
    .map((field) => `, x.${field}`)
    .join('')}
from ${from} as r
${version.items.join('\n')}
where ${[where, ...version.filter].join(' and ')}`;
}

/**
 * Installs versions with their logical fields: bi_map.<name>_version. No other view names the table, so another table
 * can take its place under one lock.
 */
export function installVersionView(table: TypedTable, mapping: readonly Mapped[]): string {
  const view = `bi_map.${escapeIdentifier(`${table.source.name}_version`)}`;
  return `create or replace view ${view} as\n${selectVersions(table, mapping)};
comment on view ${view} is ${escapeLiteral(withMark(null))}`;
}

/** Returns typed rows with the fields beside the list, as a from-item without an alias. */
export function versionRows(table: TypedTable, mapping: readonly Mapped[]): string {
  const isPlain = envelopeFields(table.source, mapping).length === 0;
  return isPlain ? tableName(table) : `(${selectVersions(table, mapping)})`;
}

/** Takes fields beside the list from the newest date on which a version holds: now, for a current one. */
function selectVersions(table: TypedTable, mapping: readonly Mapped[]): string {
  const { source } = table;
  const keys = keyColumns.map(([key]) => key);
  const fields = columnTypes(source).map(([field]) => field);
  const beside = envelopeFields(source, mapping);
  if (beside.length === 0)
    return `select ${[...keys, ...fields.map(escapeIdentifier)].join(', ')} from ${tableName(table)}`;
  const columns = [
    ...keys.map((key) => `x.${key}`),
    ...fields.map((field) => `${beside.includes(field) ? 'e' : 'x'}.${escapeIdentifier(field)}`),
  ];
  return `select ${columns.join(', ')} from ${tableName(table)} as x
${joinEnvelope(source, mapping, {
  account: 'x.account',
  clientId: 'x.slice_client_id',
  isValid: 'r.run_date < x.until and r.until >= x.until',
})}`;
}
