// Postgres types as Parquet types without losing a digit: how to select a column, its schema, its values.
import type { SchemaElement } from 'hyparquet-writer';

export interface ViewColumn {
  readonly name: string;
  /** As format_type gives it. */
  readonly type: string;
}

export interface Digits {
  readonly whole: number;
  /** Digits after it. */
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
