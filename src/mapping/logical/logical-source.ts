// What the curated views read: logical fields, each found in the data through candidate paths.

/**
 * `score`: 0 to 100. `rate`: a share, 0 to 1. `list`: an array of scalars as one text. `presence`: a text, or of an
 * object or array whether anything is in it. `json`: only for the curated views' own use, never shown.
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

export interface LogicalField {
  readonly type: LogicalType;
  /**
   * Paths as `expectativa.desde`, the likeliest first; letter case, `_`, `-` and accents do not matter.
   * `^` before a path: of the record and not of an element of its array.
   */
  readonly candidates: readonly string[];
}

export interface LogicalSource {
  readonly name: string;
  readonly stream: string;
  readonly envelope: boolean;
  readonly rows: readonly string[] | undefined;
  /** Other arrays have the same fields: its own is known by its name. */
  readonly rowsNamed: boolean;
  readonly fields: Readonly<Record<string, LogicalField>>;
  /** Indexes of its typed rows beside the common ones, as what follows the table's name. */
  readonly typedIndexes: readonly string[];
}

/** The pseudo-field under which the array of `rows` is mapped. */
export const rowsField = '(rows)';

/** Where the client is said inside a record, for routes that are asked once for the whole account. */
const client = 'cliente.id cliente_id id_cliente client_id client.id cliente client';

/** What date the figures of a record are of, or were told on. */
export const asOf = [
  'date',
  'actualizado actualizada updated updated_at fecha date medido measured',
] as const;

/** Of what days a count is, as people word it: 28, `28d`, `últimos 28 días`. */
export const period = [
  'text',
  'periodo ventana ventana_dias periodo_dias period window window_days period_days',
] as const;

/** The date of an event: its own, else that of its moment. Views and indexes word it alike, so that one finds the other. */
export const dateOf = (moment: string) => `coalesce(date, (${moment} at time zone 'UTC')::date)`;

type Spec = readonly [LogicalType, string];

/** Fields as `score: ['numeric', 'puntuacion score']`. */
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
