// The text of the generated views. Every value goes through a cast that gives null where it does not fit.

import { escapeIdentifier, escapeLiteral } from 'pg';
import { reach, stepsOf } from '../../mapping/logical/place-sql.ts';
import { maxDepth } from '../../store/fields/learn-fields.ts';
import {
  type ColumnType,
  columnName,
  fixedColumns,
  freeName,
  missingColumnType,
  pathText,
  type ValueType,
} from '../../store/fields/names.ts';

export interface SeenField {
  readonly path: readonly string[];
  readonly types: readonly string[];
}

export interface Column {
  /** Path below the record, or below an element of the child view's array. */
  readonly path: readonly string[];
  readonly name: string;
  readonly type: ColumnType;
}

/** Postgres allows 1,600 columns per relation; further fields stay in the payload. */
const maxColumns = 1_000;

const scalars: readonly string[] = ['boolean', 'integer', 'number', 'date', 'timestamp', 'text'];

/** Finds arrays whose elements are objects: each has a child view. */
export function childArrays(fields: readonly SeenField[]): string[][] {
  return fields
    .filter((field) => field.path.at(-1) === '[]' && field.types.includes('object'))
    .map((field) => field.path.slice(0, -1))
    .filter((path) => path.length > 0)
    .sort(comparePaths);
}

/**
 * Returns the columns to append, ordered by path.
 * @param base array of a child view; [] for the stream's own views
 */
export function newColumns(
  fields: readonly SeenField[],
  base: readonly string[],
  published: readonly Column[],
): Column[] {
  const start = base.length === 0 ? [] : [...base, '[]'];
  const maps = fields.filter((field) => field.types.includes('map')).map((field) => field.path);
  const taken = new Set<string>([...fixedColumns, ...published.map((column) => column.name)]);
  const added: Column[] = [];
  const here = fields
    .filter((field) => startsWith(field.path, start))
    .map((field) => ({ ...field, below: field.path.slice(start.length) }))
    .filter(({ path, below }) => below.length <= maxDepth && !below.includes('[]') && !isInMap(path, maps))
    .sort((a, b) => comparePaths(a.below, b.below));
  for (const { below, types } of here) {
    const seen = types.flatMap((type) => valueType(type, below.length, types));
    const own = published.filter((column) => samePath(column.path, below));
    const type = missingColumnType(
      seen,
      own.map((column) => column.type),
    );
    if (type === undefined || published.length + added.length >= maxColumns) continue;
    const name = freeName(
      columnName(below, own.length === 0 ? '' : type),
      JSON.stringify([below, type]),
      taken,
    );
    taken.add(name);
    added.push({ path: below, name, type });
  }
  return added;
}

/** Objects get a column per field, unless they are a map or too deep. */
function valueType(type: string, depth: number, types: readonly string[]): ValueType[] {
  if (scalars.includes(type)) return [type as ValueType];
  if (type === 'array') return ['array'];
  if (type === 'map') return ['map'];
  return type === 'object' && depth >= maxDepth && !types.includes('map') ? ['object'] : [];
}

function isInMap(path: readonly string[], maps: readonly (readonly string[])[]): boolean {
  return maps.some((map) => map.length < path.length && startsWith(path, map) && path[map.length] !== '[]');
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((step, index) => path[index] === step);
}

function samePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && startsWith(a, b);
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

export interface ViewSource {
  readonly source: string;
  readonly stream: string;
  /** The source is the stream's envelopes, not its records. */
  readonly envelope: boolean;
  readonly isPerClient: boolean;
}

/** Returns the value at a path as a column of that type; null where it does not fit. */
function typedValue(base: string, path: readonly string[], type: ColumnType): string {
  const at = (below: readonly string[]) => reach(base, stepsOf(below), 'e').value;
  const value = `(${at(path)})`;
  const last = path.at(-1);
  const text =
    last === undefined ? `(${base} #>> '{}')` : `(${at(path.slice(0, -1))} ->> ${escapeLiteral(last)})`;
  switch (type) {
    case 'boolean':
      return `sync.as_boolean(${value})`;
    case 'bigint':
      return `sync.as_bigint(${value})`;
    case 'numeric':
      return `sync.as_numeric(${value})`;
    case 'date':
      return `sync.as_date(${text})`;
    case 'timestamptz':
      return `sync.as_timestamp(${text})`;
    case 'text':
      return `case when jsonb_typeof${value} not in ('object', 'array') then ${text} end`;
    case 'jsonb':
      return `nullif(${value}, 'null'::jsonb)`;
  }
}

/** Returns `, expression as name` for every column. */
function selected(columns: readonly Column[], base: string): string {
  return columns
    .map((column) => `,\n  ${typedValue(base, column.path, column.type)} as ${escapeIdentifier(column.name)}`)
    .join('');
}

/** Returns the versions of the source, to be joined with something that gives run_date and data_as_of. */
function versions({ stream, envelope }: ViewSource): { table: string; filter: string } {
  if (!envelope) return { table: `snapshot.${escapeIdentifier(stream)} as r`, filter: '' };
  return { table: 'snapshot.envelope as r', filter: ` and r.record_key = ${escapeLiteral(stream)}` };
}

const keys = 'r.account, r.client_id, r.record_key';

function currentFrom(source: ViewSource): string {
  const { table, filter } = versions(source);
  return `sync.newest as s
join ${table} on r.account = s.account and r.client_id = s.client_id and r.until = 'infinity'${filter}`;
}

/** Selects current records of the newest published slice of every scope. */
export function currentView(source: ViewSource, columns: readonly Column[]): string {
  return `select ${keys}, s.run_date, s.completed_at as data_as_of${selected(columns, 'r.payload')}
from ${currentFrom(source)}
where s.stream = ${escapeLiteral(source.stream)}`;
}

/** Selects one row per record and run date, from published slices only. */
export function dailyView(source: ViewSource, columns: readonly Column[]): string {
  return source.isPerClient ? dailyByBlock(source, columns) : dailyByVersion(source, columns);
}

/**
 * Reads the versions of a scope's block of days once, with their columns, and remembers them for its dates (Memoize).
 * The planner must not look them up by date, so dates are compared through k, which is not there yet when x is read. A
 * random number stops x from being merged into the query, where its columns would be computed for each date. Unlike a
 * fence of "offset 0" it lets conditions on x through to the index.
 */
function dailyByBlock(source: ViewSource, columns: readonly Column[]): string {
  const { table, filter } = versions(source);
  return `select s.account, s.client_id, x.record_key, s.run_date, s.completed_at as data_as_of${names(columns)}
from sync.slice as s
cross join (select 0 as days offset 0) as k
cross join lateral (
  select random() as "(fence)", r.record_key, r.run_date as "(from)", r.until as "(until)"${selected(columns, 'r.payload')}
  from ${table}
  where r.account = s.account and r.client_id = s.client_id
    and r.until > s.block_from and r.run_date < s.block_from + sync.block_days()${filter}
) as x
where s.stream = ${escapeLiteral(source.stream)} and s.completed_at is not null
  and x."(from)" <= s.run_date + k.days and x."(until)" > s.run_date + k.days`;
}

/**
 * The version r holds on the date of s. The end is compared three times: the planner expects a third of the rows from
 * each inequality between two tables, but a version holds on a few dates out of years. With three it looks up the dates
 * of a version, instead of comparing every version with every date.
 */
const holdsOnDate =
  'r.run_date <= s.run_date and r.until > s.run_date and r.until >= s.run_date + 1 and r.until - 1 >= s.run_date';

/**
 * If one scope holds everything, the planner does not expect to need its versions again, and would read all of them for
 * each date. The fence stops columns from being computed above the join.
 */
function dailyByVersion(source: ViewSource, columns: readonly Column[]): string {
  const { table, filter } = versions(source);
  const once =
    columns.length === 0
      ? ''
      : `\ncross join lateral (select ${selected(columns, 'r.payload').slice(1)}\n  offset 0) as x`;
  return `select ${keys}, s.run_date, s.completed_at as data_as_of${names(columns)}
from sync.slice as s
join ${table} on r.account = s.account and r.client_id = s.client_id
  and ${holdsOnDate}${filter}${once}
where s.stream = ${escapeLiteral(source.stream)} and s.completed_at is not null`;
}

function names(columns: readonly Column[]): string {
  return columns.map((column) => `, x.${escapeIdentifier(column.name)}`).join('');
}

/**
 * Selects one row per run date and record that was added, changed or vanished. Current records have not vanished, and
 * saying so keeps the planner from comparing all of them with all run dates.
 */
export function changesView(source: ViewSource): string {
  const { table, filter } = versions(source);
  const slices = `(
    select account, client_id, run_date, completed_at,
      lag(run_date) over (partition by account, client_id order by run_date) as previous_run_date
    from sync.slice where stream = ${escapeLiteral(source.stream)} and completed_at is not null
  ) as s`;
  const before = `${table.replace(/ as r$/, ' as b')} on b.account = r.account and b.client_id = r.client_id
  and b.until = r.run_date and b.record_key = r.record_key`;
  return `select ${keys}, s.run_date, s.completed_at as data_as_of,
  case when b.record_key is null then 'added' else 'changed' end as change, s.previous_run_date,
  b.payload as before, r.payload as after
from ${slices}
join ${table} on r.account = s.account and r.client_id = s.client_id and r.run_date = s.run_date${filter}
left join ${before}
union all
select ${keys}, s.run_date, s.completed_at as data_as_of,
  'vanished' as change, s.previous_run_date, r.payload as before, null::jsonb as after
from ${slices}
join ${table} on r.account = s.account and r.client_id = s.client_id and r.until = s.run_date${filter}
  and r.until < 'infinity'
where not exists (
  select from ${table.replace(/ as r$/, ' as n')}
  where n.account = r.account and n.client_id = r.client_id and n.record_key = r.record_key and n.run_date = r.until
)`;
}

/** Selects one row per element of an array in the current records. */
export function childView(source: ViewSource, array: readonly string[], columns: readonly Column[]): string {
  const { items, value, positions } = reach('r.payload', stepsOf([...array, '[]']), 'e');
  const [own, parent] = positions.toReversed();
  const parents = parent === undefined ? '' : `${parent}::integer as parent_position, `;
  return `select ${keys}, s.run_date, s.completed_at as data_as_of, ${parents}${own}::integer as position${selected(columns, value)}
from ${currentFrom(source)}
${items.map((item) => `cross join lateral ${item}`).join('\n')}
where s.stream = ${escapeLiteral(source.stream)}`;
}

const typeNotes: Partial<Record<ColumnType, string>> = {
  timestamptz: ' Without a zone in the data: UTC.',
  jsonb: ' As it was sent.',
};

export function columnComment(array: readonly string[], column: Column): string {
  const path = array.length === 0 ? column.path : [...array, '[]', ...column.path];
  return `${pathText(path)}: the API's field, where it is ${column.type}.${typeNotes[column.type] ?? ''}`;
}
