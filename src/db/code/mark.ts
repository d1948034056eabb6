// The mark of objects that this program made, at the end of their comment. A name is no proof: whoever
// dropped a view of ours may have made his own in its place. A comment survives a dump, another owner and a
// newer Postgres.
import { sql } from 'kysely';
import { escapeLiteral } from 'pg';
import { WarehouseError } from '../../core/errors.ts';
import type { Executor } from '../database.ts';
import { warehouseSchemas } from '../schemas.ts';

const mark = '(airank)';

export const withMark = (comment: string | null): string => (comment === null ? mark : `${comment} ${mark}`);

interface Unmarked {
  /** `bi.clients`, `sync.learn_fields()` */
  readonly name: string;
  /** As a statement names it: `view bi.clients`, `function sync.learn_fields(text)`. */
  readonly object: string;
  readonly comment: string | null;
}

/** Lists those of the named objects that exist without the mark. */
async function readUnmarked(db: Executor, names: readonly string[]): Promise<readonly Unmarked[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<Unmarked>`
    with asked as (
      select a.name, n.oid as schema, substr(a.name, strpos(a.name, '.') + 1) as object
      from unnest(${[...names]}::text[]) as a (name)
      join pg_namespace n on n.nspname = split_part(a.name, '.', 1)
      where n.nspname = any (${[...warehouseSchemas]}::text[])
    )
    select * from (
      select a.name, case c.relkind when 'v' then 'view ' else 'table ' end || c.oid::regclass as object,
        obj_description(c.oid, 'pg_class') as comment
      from asked a join pg_class c on c.relnamespace = a.schema and c.relname = a.object::name
      where c.relkind in ('r', 'p', 'v')
      union all
      select a.name, 'function ' || p.oid::regprocedure, obj_description(p.oid, 'pg_proc')
      from asked a join pg_proc p on p.pronamespace = a.schema and p.proname = left(a.object, -2)::name
      where a.object like '%()'
    ) as o
    where coalesce(comment, '') not like ${`%${mark}`}`.execute(db);
  return rows;
}

/** Says for each of them, by name, why it is not replaced: somebody else may have made it. */
export async function unmarked(db: Executor, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await readUnmarked(db, names);
  return new Map(
    found.map(({ name, object }) => [
      name,
      `its comment does not have the mark of airank, so somebody else may have made it. If airank made it, run: comment on ` +
        `${object} is '${mark}'; if it is yours, rename it: alter ${object} rename to …`,
    ]),
  );
}

/**
 * Refuses to replace or drop objects that others made.
 * @throws WarehouseError if one of them exists without the mark
 */
export async function refuseUnmarked(db: Executor, names: readonly string[]): Promise<void> {
  for (const [name, because] of await unmarked(db, names))
    throw new WarehouseError(`${name} cannot be replaced: ${because}. Nothing was changed`);
}

export async function markInstalled(tx: Executor, names: readonly string[]): Promise<void> {
  const found = await readUnmarked(tx, names);
  const statements = found.map(
    ({ object, comment }) => `comment on ${object} is ${escapeLiteral(withMark(comment))}`,
  );
  if (statements.length > 0) await sql.raw(statements.join(';\n')).execute(tx);
}
