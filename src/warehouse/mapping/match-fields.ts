// Finds logical fields among the fields seen: by the names of their candidates, then for proposals by likeness.
import { type LogicalField, type LogicalSource, type LogicalType, rowsField } from './logical-source.ts';
import { placeOf, printPlace } from './place.ts';

export interface DataField {
  readonly path: readonly string[];
  readonly types: readonly string[];
  readonly example: string | null;
}

export interface Mapped {
  readonly field: string;
  /** Canonical text of a place. Null: deliberately none. */
  readonly path: string | null;
}

const scalars = ['boolean', 'integer', 'number', 'date', 'timestamp', 'text'];
const fitting: Readonly<Record<LogicalType, readonly string[]>> = {
  text: scalars,
  numeric: ['integer', 'number'],
  score: ['integer', 'number'],
  rate: ['integer', 'number'],
  bigint: ['integer', 'number'],
  boolean: ['boolean', 'text', 'integer'],
  date: ['date', 'timestamp'],
  timestamptz: ['timestamp'],
  list: ['array', 'text'],
  json: ['object', 'array'],
};

/** Names that differ only in letter case, `_`, `-`, spaces and accents are the same. */
function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

const plainPath = (path: readonly string[]) => path.map(plainName).join('.');

/** What can be mapped by name. @param rows the array of the rows; undefined: the records are the rows */
export function findField(
  logical: LogicalField,
  fields: readonly DataField[],
  rows: readonly string[] | undefined,
): string | undefined {
  const start = rows === undefined ? [] : [...rows, '[]'];
  for (const candidate of logical.candidates) {
    const ofRecord = candidate.startsWith('^');
    const wanted = (ofRecord ? candidate.slice(1) : candidate).split('.').map(plainName).join('.');
    const base = ofRecord ? [] : start;
    const found = fields.find(
      (field) =>
        isBelow(field.path, base) &&
        plainPath(field.path.slice(base.length)) === wanted &&
        field.types.some((type) => fitting[logical.type].includes(type)),
    );
    if (found !== undefined) return printPlace(placeOf(found.path.slice(base.length), ofRecord));
  }
  return undefined;
}

/** The array whose elements are the rows of a source. */
export function findRows(source: LogicalSource, fields: readonly DataField[]): string | undefined {
  for (const candidate of source.rows ?? []) {
    const found = fields.find(
      (field) => plainPath(field.path) === plainName(candidate) && field.types.includes('array'),
    );
    if (found !== undefined) return printPlace(placeOf(found.path));
  }
  return undefined;
}

function isBelow(path: readonly string[], base: readonly string[]): boolean {
  return (
    path.length > base.length &&
    base.every((step, index) => path[index] === step) &&
    !path.slice(base.length).includes('[]')
  );
}

export interface Proposal {
  /** Canonical text of a place. */
  readonly text: string;
  /** 0 to 1. */
  readonly likeness: number;
  readonly example: string | null;
}

/**
 * The likeliest paths for a field that has no candidate in the data, the likeliest first.
 * @param taken places that other fields are mapped to
 */
export function proposePaths(
  source: LogicalSource,
  field: string,
  fields: readonly DataField[],
  rows: readonly string[] | undefined,
  taken: readonly string[],
): Proposal[] {
  const logical = source.fields[field];
  const base = rows === undefined || field === rowsField ? [] : [...rows, '[]'];
  const type: LogicalType = field === rowsField ? 'json' : (logical?.type ?? 'text');
  const names = [field, ...(field === rowsField ? (source.rows ?? []) : (logical?.candidates ?? []))].map(
    (name) => plainName(name.split('.').at(-1) ?? name),
  );
  return fields
    .filter(
      (one) =>
        isBelow(one.path, base) &&
        !taken.includes(printPlace(placeOf(one.path.slice(base.length)))) &&
        one.types.some((seen) => fitting[type].includes(seen)),
    )
    .map((one) => {
      const path = one.path.slice(base.length);
      const name = plainName(path.at(-1) ?? '');
      const likeness = Math.max(...names.map((wanted) => likenessOf(wanted, name)));
      // A fitting narrow type says more than the name; any scalar fits a text.
      const narrow = type === 'text' || type === 'list' ? 0 : 0.15;
      return {
        text: printPlace(placeOf(path)),
        likeness: Math.min(likeness * 0.85 + narrow, 1),
        example: one.example,
      };
    })
    .filter((proposal) => proposal.likeness >= 0.3)
    .sort((a, b) => b.likeness - a.likeness || (a.text < b.text ? -1 : 1))
    .slice(0, 3);
}

/** Share of common pairs of letters (Dice's coefficient); a name inside the other one is close too. */
function likenessOf(a: string, b: string): number {
  if (a === b) return 1;
  if (a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a))) return 0.8;
  const [left, right] = [pairs(a), pairs(b)];
  const common = left.filter((pair) => right.includes(pair)).length;
  return left.length + right.length === 0 ? 0 : (2 * common) / (left.length + right.length);
}

function pairs(text: string): string[] {
  return Array.from({ length: Math.max(text.length - 1, 0) }, (_, index) => text.slice(index, index + 2));
}
