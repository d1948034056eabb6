// Reads rows a page at a time. A cursor names the last row that was given, not a count: rows that a sync adds
// or takes away shift nothing, so a row that is there before and after comes exactly once.
import type pg from 'pg';
import { escapeIdentifier } from 'pg';
import { type Cell, fitRows, ToolError } from '../form/answer.ts';

/** A statement whose rows have, beside the shown columns, `(place)`: a number to sort by, the least first. */
export interface Source {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Undefined: all but `(place)`. */
  readonly columns?: readonly string[] | undefined;
  /** Columns by which rows are told apart, whatever else changes. Undefined: all. */
  readonly identity?: readonly string[] | undefined;
}

const placeColumn = '(place)';

/** Identifies the last row: place, beginning and digest of its identity, number among equal rows. */
export type Position = readonly [place: string, beginning: string, digest: string, nth: number];

interface Page {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly position: Position | undefined;
  readonly cut: number;
}

export interface TextRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Reads values as the texts that Postgres writes: no digit is lost. */
export async function readTexts(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
): Promise<TextRows> {
  const { fields, rows } = await client.query<Cell[]>({
    text,
    values: [...values],
    rowMode: 'array',
    types: { getTypeParser: () => (value: string) => value },
  });
  return { columns: fields.map((field) => field.name), rows };
}

/** Long enough for the text of an answer. */
const mostCharacters = 20_000;
const keyColumns = 4;

export async function readPage(
  client: pg.ClientBase,
  source: Source,
  { limit, position }: { readonly limit: number; readonly position: Position | undefined },
): Promise<Page> {
  const of = (name: string) => `x.${escapeIdentifier(name)}`;
  const identity = source.identity === undefined ? 'x' : `row(${source.identity.map(of).join(', ')})`;
  const shown = source.columns === undefined ? 'x.*' : source.columns.map(of).join(', ');
  const first = source.values.length + 1;
  const after =
    position === undefined
      ? ''
      : `where ("(1)", "(2)", "(3)", "(4)") > ($${first + 1}::numeric, $${first + 2}::text, $${first + 3}::text, $${first + 4}::bigint)`;
  const { columns, rows } = await readTexts(
    client,
    `select * from (
  select k.*, row_number() over (partition by "(1)", "(2)", "(3)" order by x::text collate "C") as "(4)", ${shown}
  from (${source.text}) as x
  cross join lateral (
    select ${of(placeColumn)}::numeric as "(1)", left(i.said, 100) as "(2)", md5(i.said) collate "C" as "(3)"
    from (select ${identity}::text collate "C" as said) as i
  ) as k
) as y ${after}
order by 1, 2, 3, 4 limit $${first}`,
    [...source.values, limit + 1, ...(position ?? [])],
  );
  // The place is a column of the statement too.
  const isShown = (index: number) => index >= keyColumns && columns[index] !== placeColumn;
  const { rows: fitted, cut } = fitRows(
    rows.slice(0, limit).map((row) => row.filter((_, index) => isShown(index))),
    mostCharacters,
  );
  const [place, beginning, digest, nth] = rows[fitted.length - 1] ?? [];
  const isLast = fitted.length >= rows.length;
  return {
    columns: columns.filter((_, index) => isShown(index)),
    rows: fitted,
    position: isLast ? undefined : [place ?? '0', beginning ?? '', digest ?? '', Number(nth)],
    cut,
  };
}

/** Writes a cursor that holds the question, so that its filters cannot change. It grants nothing. */
export function writeCursor(asked: unknown, position: Position | undefined): string | undefined {
  return position && Buffer.from(JSON.stringify([asked, position])).toString('base64url');
}

/** @throws ToolError if the cursor is not one of ours */
export function readCursor(cursor: string): { readonly asked: unknown; readonly position: Position } {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(read) && isPosition(read[1])) return { asked: read[0], position: read[1] };
  } catch {
    // Reported below.
  }
  throw new ToolError(
    'bad_argument',
    'Expected cursor to be the next_cursor of an answer of this tool.',
    'Ask again without cursor.',
  );
}

function isPosition(value: unknown): value is Position {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [place, beginning, digest, nth] = value as unknown[];
  return (
    typeof place === 'string' &&
    /^-?\d{1,30}(\.\d{1,30})?$/.test(place) &&
    [beginning, digest].every((text) => typeof text === 'string' && !text.includes('\0')) &&
    Number.isSafeInteger(nth)
  );
}
