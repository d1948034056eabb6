// A Parquet file in parts: one row group at a time, so that its size is not limited by memory.
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';

/** Postgres types as Parquet types without losing a digit: how to select a column, its schema, its values. */
export interface ViewColumn {
  readonly name: string;
  /** The type as format_type writes it. */
  readonly type: string;
}

export interface Digits {
  readonly whole: number;
  /** Digits after the decimal point. */
  readonly fraction: number;
}

export interface ParquetColumn {
  readonly name: string;
  readonly element: SchemaElement;
  /** SQL for the value as a text that `read` takes. */
  readonly expression: (column: string) => string;
  readonly read: (text: string) => boolean | number | bigint | string;
}

const asIs = (column: string) => column;

/**
 * The smallest type that holds every value. Most columns get the first one, so that files of different
 * days and clients fit together.
 */
function decimalOf(digits: Digits): { precision: number; scale: number } | undefined {
  const choices = [
    { precision: 18, scale: 6 },
    { precision: 38, scale: 12 },
    { precision: 38, scale: digits.fraction },
  ];
  return choices.find(
    ({ precision, scale }) => digits.fraction <= scale && digits.whole <= precision - scale,
  );
}

function decimalColumn(name: string, digits: Digits | undefined): ParquetColumn | undefined {
  const chosen = digits === undefined ? undefined : decimalOf(digits);
  if (chosen === undefined) return undefined;
  const { precision, scale } = chosen;
  const physical =
    precision <= 18
      ? ({ type: 'INT64' } as const)
      : ({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 } as const);
  return {
    name,
    element: { name, repetition_type: 'OPTIONAL', ...physical, converted_type: 'DECIMAL', precision, scale },
    expression: asIs,
    // The unscaled value, so that it is never a float.
    read: (text) => {
      const [whole = '', fraction = ''] = text.split('.');
      return BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
    },
  };
}

/** @param digits of a numeric column; undefined: not known, or some values are no decimals (NaN) */
export function parquetColumn({ name, type }: ViewColumn, digits: Digits | undefined): ParquetColumn {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  const text: ParquetColumn = {
    name,
    element: { ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    expression: (column) => `${column}::text`,
    read: (value) => value,
  };
  switch (type) {
    case 'boolean':
      return {
        name,
        element: { ...optional, type: 'BOOLEAN' },
        expression: asIs,
        read: (value) => value === 't',
      };
    case 'smallint':
    case 'integer':
      return { name, element: { ...optional, type: 'INT32' }, expression: asIs, read: Number };
    case 'bigint':
      return { name, element: { ...optional, type: 'INT64' }, expression: asIs, read: BigInt };
    case 'real':
    case 'double precision':
      return { name, element: { ...optional, type: 'DOUBLE' }, expression: asIs, read: Number };
    case 'numeric':
      return decimalColumn(name, digits) ?? text;
    case 'date':
      return {
        name,
        element: { ...optional, type: 'INT32', converted_type: 'DATE' },
        // Parquet has no infinity.
        expression: (column) => `case when isfinite(${column}) then ${column} - date '1970-01-01' end`,
        read: Number,
      };
    case 'timestamp with time zone':
      return {
        name,
        element: {
          ...optional,
          type: 'INT64',
          converted_type: 'TIMESTAMP_MICROS',
          // Without it some readers take a moment for a wall clock without a zone.
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
        },
        expression: (column) =>
          `case when isfinite(${column}) then (extract(epoch from ${column}) * 1000000)::bigint end`,
        read: BigInt,
      };
    default:
      return text;
  }
}

/** A row group ends with the batch that brings it to this many rows or characters. */
const groupRows = 20_000;
const groupCharacters = 16 * 1024 * 1024;

/** @param batches rows as texts, in the order of the columns */
export async function* parquetFile(
  columns: readonly ParquetColumn[],
  batches: AsyncIterable<readonly (readonly (string | null)[])[]>,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.map(({ element }) => element)],
    createdBy: 'airank-warehouse',
  });
  let group = emptyGroup(columns);
  for await (const rows of batches) {
    addRows(group, columns, rows);
    if (group.rows < groupRows && group.characters < groupCharacters) continue;
    yield writeGroup(file, bytes, columns, group);
    group = emptyGroup(columns);
  }
  if (group.rows > 0) yield writeGroup(file, bytes, columns, group);
  file.finish();
  yield take(bytes);
}

interface RowGroup {
  readonly values: (boolean | number | bigint | string | null)[][];
  rows: number;
  characters: number;
}

function emptyGroup(columns: readonly ParquetColumn[]): RowGroup {
  return { values: columns.map(() => []), rows: 0, characters: 0 };
}

function addRows(
  group: RowGroup,
  columns: readonly ParquetColumn[],
  rows: readonly (readonly (string | null)[])[],
): void {
  for (const [index, column] of columns.entries()) {
    const values = group.values[index];
    for (const row of rows) {
      const text = row[index] ?? null;
      values?.push(text === null ? null : column.read(text));
      group.characters += text?.length ?? 0;
    }
  }
  group.rows += rows.length;
}

function writeGroup(
  file: ParquetWriter,
  bytes: ByteWriter,
  columns: readonly ParquetColumn[],
  group: RowGroup,
): Uint8Array {
  const columnData = columns.map(({ name }, index) => ({
    name,
    data: group.values[index] ?? [],
    // Would be held until the end of the file, and helps only readers that skip pages.
    offsetIndex: false,
  }));
  file.write({ columnData, rowGroupSize: group.rows });
  return take(bytes);
}

/** Returns what was written since the last call; offsets within the file go on. */
function take(bytes: ByteWriter): Uint8Array {
  const taken = bytes.getBytes().slice();
  bytes.index = 0;
  return taken;
}
