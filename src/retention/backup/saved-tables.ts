// Which tables a backup holds: bookkeeping, versions, and typed rows. Not what the installed code makes by itself, nor
// what is about the processes of one machine.
import type pg from 'pg';
import * as z from 'zod';
import { tableSchemas } from '../../db/schemas.ts';
import { type GivenNumber, type SavedTable, savedTableName } from './backup-parts.ts';

/** Of schema sync; each is made or filled again where the backup is restored. */
const leftOut = [
  'sync.code',
  'sync.fleet',
  'sync.job_death',
  'sync.migration',
  'sync.migration_lock',
  'sync.typed_scope',
  'sync.worker',
];

const foundTable = z.object({
  schema: z.enum(tableSchemas),
  table: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  about_rows: z.number(),
  about_bytes: z.number(),
  needs: z.array(z.string()),
});

type FoundTable = z.infer<typeof foundTable>;

/** Those that hold rows, partitions one by one, each after the tables that its rows refer to. */
export async function listTables(client: pg.ClientBase): Promise<SavedTable[]> {
  const { rows } = await client.query(
    `select n.nspname as schema, c.relname as "table", a.columns,
      greatest(c.reltuples, 0)::float8 as about_rows, pg_table_size(c.oid)::float8 as about_bytes,
      array(
        select format('%s.%s', fn.nspname, f.relname)
        from pg_constraint k join pg_class f on f.oid = k.confrelid join pg_namespace fn on fn.oid = f.relnamespace
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid
      ) as needs
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    cross join lateral (
      select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum) as columns
      from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
    ) as a
    where n.nspname = any ($2) and c.relkind = 'r' and c.relpersistence = 'p'
      and format('%s.%s', n.nspname, c.relname) <> all ($1)
      and (n.nspname <> 'typed' or c.relname not like '%\\_next')
    order by n.nspname <> 'sync', n.nspname, c.relname`,
    [leftOut, tableSchemas],
  );
  return inOrder(z.array(foundTable).parse(rows)).map(({ needs: _, ...table }) => table);
}

/** Of tables that are left out too: a worker must not get the number of one that still stands in a run. */
export async function listNumbers(client: pg.ClientBase): Promise<GivenNumber[]> {
  const { rows } = await client.query<GivenNumber>(
    `select * from (
      select n.nspname as schema, c.relname as "table", a.attname as column,
        pg_sequence_last_value(pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname)::regclass)::text as last
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any ($1) and a.attidentity <> '' and c.relkind = 'r'
    ) as x where last is not null order by 1, 2`,
    [tableSchemas],
  );
  return rows;
}

function inOrder(tables: readonly FoundTable[]): FoundTable[] {
  const ordered = new Set<FoundTable>();
  const visit = (table: FoundTable) => {
    for (const needed of tables) {
      if (table.needs.includes(savedTableName(needed)) && !ordered.has(needed)) visit(needed);
    }
    ordered.add(table);
  };
  tables.forEach(visit);
  return [...ordered];
}
