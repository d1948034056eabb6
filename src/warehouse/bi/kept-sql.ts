// The text of what is kept of a logical source: one typed row a version (and element), so that a view need
// not take the jsonb of every version apart. Which scopes it holds says sync.newest.is_kept.
import { identifier, literal } from '../views/view-sql.ts';
import type { LogicalSource } from './logical-source.ts';
import { sourcesOf } from './logical-sources.ts';
import { createMonth, monthTable, updateMonth } from './month-sql.ts';
import { keptColumns, keptTable, type VersionSql } from './version-sql.ts';

const keys = ['account', 'slice_client_id', 'record_key', 'from_date', 'until', 'row_no'];
const keyTypes = [
  'account text not null',
  'slice_client_id text not null',
  'record_key text not null',
  'from_date date not null',
  'until date not null',
  'row_no integer not null',
  'client_id text not null',
];

/** Makes the table and the one by date, or adds the columns that a new release knows. */
export function createKept(source: LogicalSource): string {
  const table = keptTable(source);
  const index = (name: string, rest: string) =>
    `create index if not exists ${identifier(`${source.name}_kept_${name}`)} on ${table} ${rest}`;
  return [
    `create table if not exists ${table} (${keyTypes.join(', ')})`,
    ...keptColumns(source).map(
      ([field, type]) => `alter table ${table} add column if not exists ${identifier(field)} ${type}`,
    ),
    // No index on from_date alone beside it: the planner takes that for one as good and reads all of history.
    index('by_scope', '(account, slice_client_id, until, from_date)'),
    // Account-wide records say whose they are.
    index('by_client', `(account, client_id, until, from_date) where slice_client_id = ''`),
    ...source.keptIndexes.map((rest, place) => index(`by_own${place + 1}`, rest)),
    `comment on table ${table} is ${literal(`${source.name}, one row a version${source.rows === undefined ? '' : ' and element'}, kept up to date after each run for the scopes that sync.newest says are kept.`)}`,
    ...(source.isByDate ? [createMonth(source)] : []),
  ].join(';\n');
}

export function keptTables(source: LogicalSource): string[] {
  return [keptTable(source), ...(source.isByDate ? [monthTable(source)] : [])];
}

/**
 * Statements that bring the tables to what is published of the scopes in pg_temp.kept_scope. What is published
 * since kept_date began or ended versions on it or later, or reopened ones that had ended then.
 */
export function updateKept(source: LogicalSource, version: VersionSql): string[] {
  const table = keptTable(source);
  const scope = (alias: string) =>
    `${alias}.account = s.account and ${alias}.slice_client_id = s.client_id and s.stream = ${literal(source.stream)}`;
  const same = 'r.record_key = t.record_key and r.run_date = t.from_date';
  const columns = [...keys, 'client_id', ...keptColumns(source).map(([field]) => field)].map(identifier);
  // The fences keep the planner, who takes a comparison of dates for a third of the rows, from reading all of history.
  return [
    `delete from ${table} as t using pg_temp.kept_scope as s
     where ${scope('t')} and t.from_date >= s.kept_date and t.until > s.kept_date`,
    `update ${table} as t set until = r.until
     from pg_temp.kept_scope as s
     cross join lateral (
       select record_key, run_date, until from ${version.table}
       where r.account = s.account and r.client_id = s.client_id
         and r.until >= s.kept_date and r.until < 'infinity' and r.run_date < s.kept_date offset 0
     ) as r
     where s.kept_date > '-infinity' and ${scope('t')} and ${same} and t.until >= s.kept_date and t.until <> r.until`,
    `update ${table} as t set until = 'infinity'
     from pg_temp.kept_scope as s
     where ${scope('t')} and t.until >= s.kept_date and t.until < 'infinity' and exists (
       select from ${version.table}
       where r.account = t.account and r.client_id = t.slice_client_id and ${same} and r.until = 'infinity' offset 0
     )`,
    `insert into ${table} (${columns.join(', ')})
     select r.account, r.client_id, r.record_key, r.run_date, r.until, ${version.position}, ${version.client},
       ${keptColumns(source)
         .map(([field]) => `x.${identifier(field)}`)
         .join(', ')}
     from pg_temp.kept_scope as s
     join ${version.table} on r.account = s.account and r.client_id = s.client_id
       and r.run_date >= s.kept_date and r.until > s.kept_date
     ${version.items.join('\n')}
     where s.stream = ${literal(source.stream)}${version.filter.map((one) => ` and ${one}`).join('')}`,
    ...(source.isByDate ? updateMonth(source) : []),
  ];
}

/**
 * Who keeps reads the mapping, and who changes what is read waits for them: a scope that is published in between
 * would be kept as it was read before. Neither takes a snapshot, so what comes next sees what the other one did.
 */
export const beginKeeping = 'lock table sync.bi_view in row share mode';
export const endKeeping = 'lock table sync.bi_view in exclusive mode';

/** Statements after which nothing is kept of a stream; endKeeping comes before. */
export function forgetKept(stream: string): string[] {
  return [
    `update sync.newest set kept_date = null, kept_at = null, month_from = default, month_until = default
     where stream = ${literal(stream)}`,
    ...sourcesOf(stream)
      .filter((source) => source.isByDate)
      .map((source) => `delete from ${monthTable(source)}`),
  ];
}
