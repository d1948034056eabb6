// A warehouse without data that has another schema than a backup: it is taken away in the caller's transaction, so that
// the backup's own tables can be made. What people built upon it would go with it, so it is looked for first.
import type pg from 'pg';
import { WarehouseError } from '../../core/errors.ts';
import { readCodeFiles } from '../code/code-files.ts';

const schemas = ['sync', 'snapshot', 'typed', 'bi_map', 'api', 'bi'];

/** @throws WarehouseError where others made something in it or upon it */
export async function dropEmptyWarehouse(client: pg.ClientBase): Promise<void> {
  const found = await madeByOthers(client);
  if (found !== undefined) {
    throw new WarehouseError(
      `Expected an empty database, or a warehouse without data upon which nothing is built, got ${found}, which would go ` +
        'with the older tables that this backup needs. Nothing was changed; make a new database for it, or drop what is ' +
        `there: drop schema ${schemas.join(', ')} cascade`,
    );
  }
  await client.query(`drop schema if exists ${schemas.join(', ')} cascade`);
}

/** A view elsewhere that reads the warehouse, or one in `bi` that airank does not make. */
async function madeByOthers(client: pg.ClientBase): Promise<string | undefined> {
  const { views } = await readCodeFiles();
  const own = views.map(({ name }) => name.replace(/^bi\/|\.sql$/g, ''));
  const { rows } = await client.query<{ name: string }>(
    `select format('%s.%s', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'bi' and c.relkind in ('r', 'v', 'm') and c.relname <> all ($2)
    union
    select format('%s.%s', n.nspname, c.relname)
    from pg_depend d join pg_rewrite w on w.oid = d.objid join pg_class c on c.oid = w.ev_class
    join pg_namespace n on n.oid = c.relnamespace
    join pg_class r on r.oid = d.refobjid join pg_namespace rn on rn.oid = r.relnamespace
    where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass
      and rn.nspname = any ($1) and n.nspname <> all ($1)
    order by 1 limit 1`,
    [schemas, own],
  );
  return rows[0]?.name;
}
