// One curated view and its content today: rows, dates, how full each column is, and a few rows.
import { sql } from 'kysely';
import type { CatalogueView } from '../../db/code/catalogue.ts';
import { measuresOf, unitOf } from '../../db/code/measures.ts';
import { fieldsOf } from '../../db/code/origin.ts';
import { type Executor, eachWithin } from '../../db/database.ts';
import { describeViews } from './list-views.ts';

export interface ColumnFacts {
  readonly name: string;
  readonly unit: string;
  /** Share of the newest rows with a value, 0 to 1; null if the view has no rows, or counting took too long. */
  readonly filled: number | null;
  readonly comment: string;
  /** Logical fields that it is made from, as `rank_now.score`. */
  readonly fields: readonly string[];
  /** Sentence on how to aggregate it over several rows; null if it cannot be. */
  readonly measure: string | null;
}

export interface ViewFacts {
  readonly view: string;
  readonly question: string;
  readonly row: string;
  readonly rows: number | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly columns: readonly ColumnFacts[];
  /** The newest rows, each value as Postgres writes it, by column. */
  readonly newest: readonly Readonly<Record<string, string | null>>[];
}

const sampleRows = 3;
/** Sorting more rows to find the newest would make the answer slow, and no truer. */
const countedRows = 10_000;

export async function readViewFacts(
  db: Executor,
  view: CatalogueView,
  timeoutMs: number,
): Promise<ViewFacts> {
  const columns = (await describeViews(db)).find((one) => one.view === view.view)?.columns ?? [];
  const source = sql.id(view.schema, view.name);
  const date = view.newest === undefined ? sql`null::date` : sql.id(view.newest);
  const names = columns.map(({ name }) => name);
  const ordered = [
    ...(view.newest === undefined ? [] : [sql`${date} desc nulls last`]),
    ...(names.includes('client_name') ? [sql`client_name`] : []),
  ];
  const newestFirst = ordered.length === 0 ? sql`` : sql`order by ${sql.join(ordered)}`;
  const counts = names.map((name) => sql`count(${sql.id(name)})`);
  const texts = names.map((name) => sql`${sql.id(name)}::text`);
  const [span, filled, newest] = (await eachWithin(db, timeoutMs, [
    sql`select count(*)::integer as rows, min(${date})::date::text as "from", max(${date})::date::text as "to" from ${source}`,
    sql`select count(*)::integer as rows, array[${sql.join(counts)}]::integer[] as filled
        from (select * from ${source} ${newestFirst} limit ${countedRows}) as x`,
    sql`select array[${sql.join(texts)}] as cells from (select * from ${source} ${newestFirst} limit ${sampleRows}) as x`,
  ])) as [
    { rows: number; from: string | null; to: string | null }[]?,
    { rows: number; filled: number[] }[]?,
    { cells: (string | null)[] }[]?,
  ];
  const measures = new Map(measuresOf({ ...view, columns }).map(({ column, about }) => [column, about]));
  const shareOf = (place: number) => {
    const [counted] = filled ?? [];
    return counted === undefined || counted.rows === 0 ? null : (counted.filled[place] ?? 0) / counted.rows;
  };
  return {
    view: view.view,
    question: view.question,
    row: view.row,
    rows: span?.[0]?.rows ?? null,
    from: span?.[0]?.from ?? null,
    to: span?.[0]?.to ?? null,
    columns: columns.map(({ name, type, comment, origin }, place) => ({
      name,
      unit: unitText(name, type),
      filled: shareOf(place),
      comment,
      fields: fieldsOf(origin).map(({ source, field }) => `${source}.${field}`),
      measure: measures.get(name) ?? null,
    })),
    newest: (newest ?? []).map(({ cells }) =>
      Object.fromEntries(names.map((name, place) => [name, cells[place] ?? null])),
    ),
  };
}

/** Returns the unit in a word or two: by the name if it tells one, else by the type. */
function unitText(name: string, type: string): string {
  if (type === 'boolean') return 'yes, no';
  if (type === 'date') return 'date';
  if (type.startsWith('timestamp')) return 'moment';
  if (!/^(numeric|integer|bigint|smallint|double|real)/.test(type)) return 'text';
  const unit = unitOf(name) ?? 'number';
  return unit === 'share 0 to 1' ? '0 to 1' : unit;
}
