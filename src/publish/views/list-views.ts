// Lists the curated views: grain, rows, freshness.
import { sql } from 'kysely';
import { type CatalogueColumn, type CatalogueView, catalogue } from '../../db/code/catalogue.ts';
import { type Executor, eachWithin } from '../../db/database.ts';
import { curatedSchemas } from '../../db/schemas.ts';

/** A curated view as in the catalogue, with the column types that Postgres gives. */
export interface DescribedView extends CatalogueView {
  /** In the view's order; only columns of this version that exist. */
  readonly columns: readonly (CatalogueColumn & {
    readonly type: string;
  })[];
  /** Values of window_days in it; undefined if it has none, or nobody looked. */
  readonly windows?: readonly (number | null)[] | undefined;
}

export async function describeViews(db: Executor): Promise<readonly DescribedView[]> {
  const { rows } = await sql<{ view: string; name: string; type: string }>`
    select c.relnamespace::regnamespace::text || '.' || c.relname as view, a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace::regnamespace::text = any (${[...curatedSchemas]}::text[])
      and c.relkind = 'v'
    order by a.attnum`.execute(db);
  return catalogue().map((view) => {
    const described = new Map(view.columns.map((column) => [column.name, column]));
    const columns = rows
      .filter((row) => row.view === view.view)
      .flatMap(({ name, type }) => {
        const column = described.get(name);
        return column === undefined ? [] : { ...column, type };
      });
    return { ...view, columns };
  });
}

export interface ViewLine {
  readonly view: string;
  readonly grain: string;
  readonly question: string;
  readonly rows: number | null;
  /** Newest run date in it, else the newest day that it is about; null if it has neither. */
  readonly newest: string | null;
}

/** @param timeoutMs limit for counting the rows of one view */
export async function listViews(
  db: Executor,
  schemas: readonly string[],
  timeoutMs: number,
): Promise<ViewLine[]> {
  const { rows } = await sql<{ schema: string; name: string; comment: string | null; date: string | null }>`
    select n.nspname as schema, c.relname as name, obj_description(c.oid, 'pg_class') as comment,
      (select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attname = 'run_date') as date
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any (${[...schemas]}::text[]) and c.relkind = 'v'
    order by n.nspname, c.relname`.execute(db);
  const described = new Map(catalogue().map((view) => [view.view, view]));
  const listed = rows.map(({ schema, name, comment, date }) => {
    const of = described.get(`${schema}.${name}`);
    const newest = (of === undefined ? date : of.newest) ?? undefined;
    return {
      view: `${schema}.${name}`,
      grain: of === undefined ? (comment ?? '') : `one row ${of.row}.`,
      question: of?.question ?? '',
      count: sql<Pick<ViewLine, 'rows' | 'newest'>>`
        select count(*) as rows, ${newest === undefined ? sql`null::date` : sql`max(${sql.id(newest)})`} as newest
        from ${sql.id(schema, name)}`,
    };
  });
  const counts = await eachWithin(
    db,
    timeoutMs,
    listed.map(({ count }) => count),
  );
  return listed.map(({ count: _, ...line }, place) => ({
    ...line,
    ...(counts[place]?.[0] ?? { rows: null, newest: null }),
  }));
}
