// Logical fields, which the curated views read: each is found in the data through candidate paths.

/**
 * `score`: 0 to 100. `rate`: a share, 0 to 1. `list`: an array of scalars as one text. `presence`: a text;
 * for an object or array, whether it holds anything. `json`: for the curated views only, never shown.
 */
export type LogicalType =
  | 'text'
  | 'numeric'
  | 'score'
  | 'rate'
  | 'bigint'
  | 'boolean'
  | 'date'
  | 'timestamptz'
  | 'list'
  | 'presence'
  | 'json';

interface LogicalField {
  readonly type: LogicalType;
  /**
   * Paths such as `expectativa.desde`, likeliest first; letter case, `_`, `-` and accents do not matter. `^` before a
   * path reads from the record instead of an element of its array.
   */
  readonly candidates: readonly string[];
}

export interface LogicalSource {
  readonly name: string;
  readonly stream: string;
  readonly envelope: boolean;
  readonly rows: readonly string[] | undefined;
  /** True if other arrays have the same fields, so that only the name tells this one apart. */
  readonly rowsNamed: boolean;
  readonly fields: Readonly<Record<string, LogicalField>>;
  /** Indexes of its typed rows besides the common ones, each as the text after the table's name. */
  readonly typedIndexes: readonly string[];
}

/** Pseudo-field under which the array of `rows` is mapped. */
export const rowsField = '(rows)';

const client = 'cliente.id cliente_id id_cliente client_id client.id cliente client';

/** Date for which a record's figures hold, or on which they were reported. */
export const asOf = ['date', 'actualizado actualizada updated as_of fecha date medido measured'] as const;

/** Days that a count covers, in the data's words: 28, `28d`, `últimos 28 días`. */
export const period = [
  'text',
  'periodo ventana ventana_dias periodo_dias period window window_days period_days dias days periodo.num_dias',
] as const;

/** Returns SQL for an event's date: its own, else its moment's. Views and indexes must use the same text. */
export const dateOf = (moment: string) => `coalesce(date, (${moment} at time zone 'UTC')::date)`;

type Spec = readonly [LogicalType, string];

/** Defines a source by its fields, as `score: ['numeric', 'puntuacion score']`. */
export function logical(
  name: string,
  stream: string,
  fields: Readonly<Record<string, Spec>>,
  more: { envelope?: true; rows?: string; rowsNamed?: true; typedIndexes?: readonly string[] } = {},
): LogicalSource {
  const ofRecord = more.rows === undefined ? client : `^${client.split(' ').join(' ^')} ${client}`;
  const all: Record<string, Spec> = { client: ['text', ofRecord], ...fields };
  return {
    name,
    stream,
    envelope: more.envelope === true,
    rows: more.rows?.split(' '),
    rowsNamed: more.rowsNamed === true,
    typedIndexes: more.typedIndexes ?? [],
    fields: Object.fromEntries(
      Object.entries(all).map(([field, [type, candidates]]) => [
        field,
        { type, candidates: candidates.split(' ') },
      ]),
    ),
  };
}
