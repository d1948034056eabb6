// Names views and columns after the API's own names, as Postgres takes them. The same path always gives the same name.
import { createHash } from 'node:crypto';

/** Type of a column: inferred from all types seen, never narrowed. */
export type ColumnType = 'boolean' | 'bigint' | 'numeric' | 'date' | 'timestamptz' | 'text' | 'jsonb';

/** Types by `sync.json_type` that lead to a column; null and '' do not. */
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

/** Returns the narrowest type that holds every value of all these types. */
export function columnTypeFor(seen: readonly ValueType[]): ColumnType {
  return fromNarrow.find((type) => seen.every((value) => holds[type].includes(value))) ?? 'jsonb';
}

/**
 * Returns the type of the column to add beside published ones; undefined if each type seen has a column that holds it.
 */
export function missingColumnType(
  seen: readonly ValueType[],
  published: readonly ColumnType[],
): ColumnType | undefined {
  const homeless = seen.filter((value) => !published.some((type) => holds[type].includes(value)));
  return homeless.length === 0 ? undefined : columnTypeFor(homeless);
}

/** Postgres cuts longer identifiers (PostgreSQL manual, Identifiers and Key Words). */
const maxBytes = 63;

export const fixedColumns = [
  'account',
  'client_id',
  'record_key',
  'run_date',
  'data_as_of',
  'parent_position',
  'position',
] as const;

/** `precioIA` → `precio_ia`, `menciones por 100` → `menciones_por_100`; keeps letters of every script. */
export function snakeCase(name: string): string {
  const snake = name
    .normalize('NFC')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  if (snake === '') return 'field';
  return /^\p{N}/u.test(snake) ? `_${snake}` : snake;
}

/** `['detalle', 'confianza']` → `detalle__confianza`; a record that is not an object has the path `[]`. */
export function columnName(path: readonly string[], suffix = ''): string {
  const plain = path.length === 0 ? 'value' : path.map(snakeCase).join('__');
  const name = (fixedColumns as readonly string[]).includes(plain) ? `api_${plain}` : plain;
  return shorten(suffix === '' ? name : `${name}_${suffix}`, JSON.stringify([path, suffix]));
}

/** Returns the name; if it is taken, with a mark made from `identity`. */
export function freeName(name: string, identity: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let length = 6; ; length += 2) {
    const mark = `_${digest(identity).slice(0, length)}`;
    const marked = cut(name, maxBytes - mark.length) + mark;
    if (!taken.has(marked)) return marked;
  }
}

/** Cuts a name to 63 bytes; a mark made from `identity` replaces what is cut off. */
export function shorten(name: string, identity: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const mark = `_${digest(identity).slice(0, 8)}`;
  return cut(name, maxBytes - mark.length) + mark;
}

function cut(name: string, bytes: number): string {
  let start = '';
  let size = 0;
  for (const char of name) {
    size += Buffer.byteLength(char);
    if (size > bytes) break;
    start += char;
  }
  return start;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Writes a path for people: `detalle.fuentes[].url`. */
export function pathText(path: readonly string[]): string {
  if (path.length === 0) return '(the record itself)';
  return path.reduce(
    (text, step) => (step === '[]' ? `${text}[]` : text === '' ? step : `${text}.${step}`),
    '',
  );
}
