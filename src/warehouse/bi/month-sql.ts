// The text of what is kept by date: the rows of the month before the newest run date, of sources that a curated
// view shows by date. Their versions say the same, but a chart of all clients would join every version with every
// date. Such a row never changes: no run date is published before the newest one of its scope. So the views read
// the table as it is, whatever else is kept; the newest date, which may be published again, is never in it.
import { identifier, literal } from '../views/view-sql.ts';
import type { LogicalSource } from './logical-source.ts';
import { keptColumns, keptTable } from './version-sql.ts';

/** With the newest date: a dashboard's last 30 days, and one to compare with. */
const monthDays = 31;

const firstDay = `n.run_date - ${monthDays - 1}`;

/** Run dates that the table does not hold, over n (sync.newest) and s (sync.slice). */
export const notInMonth = '(s.run_date > n.month_until or s.run_date < n.month_from)';

/** Those that it is to hold next. */
export const isAfterMonth = `s.run_date > n.month_until and s.run_date >= ${firstDay} and s.run_date < n.run_date`;

/** What sync.newest, as n, says when it does. */
export const markMonth = `month_from = greatest(n.month_from, ${firstDay}), month_until = n.run_date - 1`;

export function monthTable(source: LogicalSource): string {
  return `bi_map.${identifier(`${source.name}_month`)}`;
}

/** Of a fixed width first: what stands behind a text is slower to get at. */
const typeOrder = ['timestamptz', 'date', 'integer', 'bigint', 'boolean', 'numeric', 'text', 'jsonb'];

const keyTypes: readonly (readonly [string, string])[] = [
  ['completed_at', 'timestamptz'],
  ['run_date', 'date'],
  ['from_date', 'date'],
  ['row_no', 'integer'],
  ['account', 'text'],
  ['slice_client_id', 'text'],
  ['client_id', 'text'],
  ['record_key', 'text'],
];

/** Makes the table, or adds the columns that a new release knows. */
export function createMonth(source: LogicalSource): string {
  const table = monthTable(source);
  const place = ([, type]: readonly [string, string]) => typeOrder.indexOf(type);
  const columns = [...keyTypes, ...keptColumns(source)].sort((a, b) => place(a) - place(b));
  const keys = new Set(keyTypes.map(([key]) => key));
  const column = ([name, type]: readonly [string, string]) =>
    `${identifier(name)} ${type}${keys.has(name) ? ' not null' : ''}`;
  const index = (name: string, on: string) =>
    `create index if not exists ${identifier(`${source.name}_month_${name}`)} on ${table} (${on})`;
  return [
    `create table if not exists ${table} (${columns.map(column).join(', ')})`,
    ...columns.map((one) => `alter table ${table} add column if not exists ${column(one)}`),
    index('by_date', 'run_date'),
    index('by_client', 'client_id, run_date'),
    `comment on table ${table} is ${literal(`${source.name}, one row a record and run date, of the days of every scope that sync.newest names (month_from, month_until).`)}`,
  ].join(';\n');
}

/** A branch of the daily view. No condition: Postgres reads the table itself, and nothing between. */
export function monthBranch(source: LogicalSource, fields: readonly string[]): string {
  // Later than any date of the table: none of its rows is of the newest one.
  return `select account, run_date, completed_at, record_key, row_no, from_date, slice_client_id, 'infinity'::date as newest_date, client_id, ${fields.join(', ')}
from ${monthTable(source)}`;
}

/**
 * Statements that move the month on, of the scopes in pg_temp.kept_scope; the source's kept table is up to date.
 * markMonths is to follow.
 */
export function updateMonth(source: LogicalSource): string[] {
  const table = monthTable(source);
  const scopes = `pg_temp.kept_scope as k
     join sync.newest as n on n.stream = k.stream and n.account = k.account and n.client_id = k.client_id`;
  const own = `k.stream = ${literal(source.stream)}`;
  const fields = keptColumns(source).map(([field]) => identifier(field));
  const scope = 'x.account = n.account and x.slice_client_id = n.client_id';
  return [
    // The second condition finds the few old rows through the index.
    `delete from ${table} as x using ${scopes}
     where ${own} and ${scope} and x.run_date < ${firstDay}
       and x.run_date < (select max(${firstDay}) from ${scopes} where ${own})`,
    `insert into ${table} (${[...keyTypes.map(([key]) => key), ...fields].join(', ')})
     select s.completed_at, s.run_date, x.from_date, x.row_no, n.account, n.client_id, x.client_id, x.record_key,
       ${fields.map((field) => `x.${field}`).join(', ')}
     from ${scopes}
     join sync.slice as s on s.stream = n.stream and s.account = n.account and s.client_id = n.client_id
       and s.completed_at is not null and ${isAfterMonth}
     cross join lateral (
       select * from ${keptTable(source)} as x
       where ${scope} and x.from_date <= s.run_date and x.until > s.run_date offset 0
     ) as x
     where ${own}`,
  ];
}
