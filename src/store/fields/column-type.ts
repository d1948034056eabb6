// Which column type holds which values: inferred from all types seen, never narrowed.

export type ColumnType = 'boolean' | 'bigint' | 'numeric' | 'date' | 'timestamptz' | 'text' | 'jsonb';

/** What `sync.json_type` says of a value that makes a column. null and '' make none. */
export type ValueType =
  | 'boolean'
  | 'integer'
  | 'number'
  | 'date'
  | 'timestamp'
  | 'text'
  | 'object'
  | 'array'
  | 'map';

const holds: Readonly<Record<ColumnType, readonly ValueType[]>> = {
  boolean: ['boolean'],
  bigint: ['integer'],
  numeric: ['integer', 'number'],
  date: ['date'],
  timestamptz: ['timestamp'],
  text: ['boolean', 'integer', 'number', 'date', 'timestamp', 'text'],
  jsonb: ['boolean', 'integer', 'number', 'date', 'timestamp', 'text', 'object', 'array', 'map'],
};

const fromNarrow: readonly ColumnType[] = [
  'boolean',
  'bigint',
  'numeric',
  'date',
  'timestamptz',
  'text',
  'jsonb',
];

/** The narrowest type that holds every value of all these types. */
export function columnTypeFor(seen: readonly ValueType[]): ColumnType {
  return fromNarrow.find((type) => seen.every((value) => holds[type].includes(value))) ?? 'jsonb';
}

/**
 * The type of the column to add beside published ones: undefined when each type seen has a column that
 * holds it.
 */
export function missingColumnType(
  seen: readonly ValueType[],
  published: readonly ColumnType[],
): ColumnType | undefined {
  const homeless = seen.filter((value) => !published.some((type) => holds[type].includes(value)));
  return homeless.length === 0 ? undefined : columnTypeFor(homeless);
}
