// A warehouse without data that has another schema than a backup: it is taken away in the caller's transaction, so that
// the backup's own tables can be made. What people built upon it would go with it, so it is looked for first.
import type pg from 'pg';
import { WarehouseError } from '../../core/errors.ts';
import { curatedSchemas, warehouseSchemas } from '../../db/schemas.ts';

const schemas = warehouseSchemas.join(', ');

/** @throws WarehouseError where others made something in it or upon it */
export async function dropEmptyWarehouse(client: pg.ClientBase): Promise<void> {
  const found = await madeByOthers(client);
  if (found !== undefined) {
    throw new WarehouseError(
      `Expected an empty database, or a warehouse without data upon which nothing is built, got ${found}, which would go ` +
        'with the older tables that this backup needs. Nothing was changed; make a new database for it, or drop what is ' +
        `there: drop schema ${schemas} cascade`,
    );
  }
  await client.query(`drop schema if exists ${schemas} cascade`);
}

/** A view elsewhere that reads the warehouse, or one among the curated ones that airank did not make. */
async function madeByOthers(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%s.%s', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($2) and c.relkind in ('r', 'v', 'm')
      and not exists (select from sync.code as i where i.name = format('%s/%s.sql', n.nspname, c.relname))
    union
    select format('%s.%s', n.nspname, c.relname)
    from pg_depend d join pg_rewrite w on w.oid = d.objid join pg_class c on c.oid = w.ev_class
    join pg_namespace n on n.oid = c.relnamespace
    join pg_class r on r.oid = d.refobjid join pg_namespace rn on rn.oid = r.relnamespace
    where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass
      and rn.nspname = any ($1) and n.nspname <> all ($1)
    order by 1 limit 1`,
    [warehouseSchemas, curatedSchemas],
  );
  return rows[0]?.name;
}
