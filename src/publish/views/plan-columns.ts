// Which columns a view gets beside those it has: decided from every path and type ever seen.

import { maxDepth } from '../../store/fields/learn-fields.ts';
import {
  type ColumnType,
  columnName,
  fixedColumns,
  freeName,
  missingColumnType,
  type ValueType,
} from '../../store/fields/names.ts';

/** A path and all types seen there. */
export interface SeenField {
  readonly path: readonly string[];
  readonly types: readonly string[];
}

export interface Column {
  /** Below the record, or below an element of the child view's array. */
  readonly path: readonly string[];
  readonly name: string;
  readonly type: ColumnType;
}

/** Postgres allows 1,600 columns a relation; further fields stay in the payload. */
const maxColumns = 1_000;

const scalars: readonly string[] = ['boolean', 'integer', 'number', 'date', 'timestamp', 'text'];

/** Arrays whose elements are objects: each has a child view. */
export function childArrays(fields: readonly SeenField[]): string[][] {
  return fields
    .filter((field) => field.path.at(-1) === '[]' && field.types.includes('object'))
    .map((field) => field.path.slice(0, -1))
    .filter((path) => path.length > 0)
    .sort(comparePaths);
}

/**
 * The columns to append, in the order of their paths.
 * @param base the array of a child view; [] for the stream's own views
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

/** An object is its fields' columns, unless it is a map or too deep. */
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
