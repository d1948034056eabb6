// The curated views as the catalogue has them, with the types that Postgres gives their columns.
import { sql } from 'kysely';
import { type CatalogueColumn, type CatalogueView, catalogue } from '../../db/code/catalogue.ts';
import type { Executor } from '../../db/database.ts';
import { biSchemas, curatedSchemas } from '../../db/schemas.ts';

export interface DescribedView extends CatalogueView {
  /** In the order of the view; those of this version that are there. */
  readonly columns: readonly (CatalogueColumn & {
    readonly type: string;
  })[];
}

/** By name. @param reader a role: without ops, unless it may read that */
export async function describeViews(db: Executor, reader?: string): Promise<readonly DescribedView[]> {
  const { rows } = await sql<{ view: string; name: string; type: string }>`
    select c.relnamespace::regnamespace::text || '.' || c.relname as view, a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace::regnamespace::text = any (${[...curatedSchemas]}::text[])
      and c.relkind = 'v'
      and (${reader ?? null}::text is null or c.relnamespace::regnamespace::text = any (${[...biSchemas]}::text[])
        or exists (select from pg_roles where rolname = ${reader ?? null} and has_schema_privilege(oid, c.relnamespace, 'usage')))
    order by a.attnum`.execute(db);
  const present = new Set(rows.map(({ view }) => view));
  return catalogue().flatMap((view) => {
    if (reader !== undefined && !present.has(view.view)) return [];
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
